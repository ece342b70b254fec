/** Compares a running server with the golden files that real servers wrote. */
@NullMarked
package io.porteiro.it.golden;

import org.jspecify.annotations.NullMarked;
