/** MULTI, EXEC, DISCARD, WATCH, UNWATCH. */
@NullMarked
package io.porteiro.server.command.transaction;

import org.jspecify.annotations.NullMarked;
