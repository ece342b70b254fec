/** String commands. */
@NullMarked
package io.porteiro.server.command.string;

import org.jspecify.annotations.NullMarked;
