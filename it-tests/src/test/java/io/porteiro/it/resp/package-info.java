/** The Redis protocol from the client's side: raw bytes out, typed replies in. */
@NullMarked
package io.porteiro.it.resp;

import org.jspecify.annotations.NullMarked;
