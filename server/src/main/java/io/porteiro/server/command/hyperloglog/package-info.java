/** PF* commands. */
@NullMarked
package io.porteiro.server.command.hyperloglog;

import org.jspecify.annotations.NullMarked;
