/** Makes inputs that no client would send, from ones that clients do send. */
@NullMarked
package io.porteiro.it.fuzz;

import org.jspecify.annotations.NullMarked;
