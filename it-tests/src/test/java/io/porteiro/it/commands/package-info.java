/** What servers say of their own commands, and invocations made from it. */
@NullMarked
package io.porteiro.it.commands;

import org.jspecify.annotations.NullMarked;
