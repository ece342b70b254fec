/** Certificates made for one test, and clients that use them. */
@NullMarked
package io.porteiro.it.tls;

import org.jspecify.annotations.NullMarked;
