/** Plays the conformance corpus ({@code *.case}): what is sent, what must come back. */
@NullMarked
package io.porteiro.it.conformance;

import org.jspecify.annotations.NullMarked;
