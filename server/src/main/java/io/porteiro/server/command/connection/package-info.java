/** Commands on the connection itself. */
@NullMarked
package io.porteiro.server.command.connection;

import org.jspecify.annotations.NullMarked;
