/** Strings. */
@NullMarked
package io.porteiro.server.structure.string;

import org.jspecify.annotations.NullMarked;
