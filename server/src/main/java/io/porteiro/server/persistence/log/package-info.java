/** The append-only log: its files, writing it while clients wait for it, reading it. */
@NullMarked
package io.porteiro.server.persistence.log;

import org.jspecify.annotations.NullMarked;
