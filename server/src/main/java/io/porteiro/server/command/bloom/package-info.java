/** BF.* commands. */
@NullMarked
package io.porteiro.server.command.bloom;

import org.jspecify.annotations.NullMarked;
