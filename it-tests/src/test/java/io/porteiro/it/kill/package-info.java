/** Writers that know what was acknowledged to them, for servers that are killed. */
@NullMarked
package io.porteiro.it.kill;

import org.jspecify.annotations.NullMarked;
