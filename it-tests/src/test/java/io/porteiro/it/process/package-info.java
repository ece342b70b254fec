/** Servers as child processes: Porteiro through its launcher, and a real Redis to compare with. */
@NullMarked
package io.porteiro.it.process;

import org.jspecify.annotations.NullMarked;
