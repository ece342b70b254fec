/**
 * The core of command execution: table, dispatcher, scopes, context; and, as interfaces, what
 * commands may ask of the rest of the server.
 */
@NullMarked
package io.porteiro.server.command;

import org.jspecify.annotations.NullMarked;
