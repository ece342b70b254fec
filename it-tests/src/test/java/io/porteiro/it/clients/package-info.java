/** Client libraries of other languages, driven by scripts (see {@code it-tests/clients}). */
@NullMarked
package io.porteiro.it.clients;

import org.jspecify.annotations.NullMarked;
