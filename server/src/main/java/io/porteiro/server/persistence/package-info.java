/** Saving and loading. */
@NullMarked
package io.porteiro.server.persistence;

import org.jspecify.annotations.NullMarked;
