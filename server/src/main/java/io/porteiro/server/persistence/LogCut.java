package io.porteiro.server.persistence;

import java.nio.file.Path;

/**
 * The end of a log that was not written whole.
 *
 * @param offset where the last whole unit ends
 * @param bytes how much is behind it
 */
record LogCut(Path file, long offset, long bytes) {}
