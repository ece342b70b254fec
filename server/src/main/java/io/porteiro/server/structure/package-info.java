/** What a key can hold. */
@NullMarked
package io.porteiro.server.structure;

import org.jspecify.annotations.NullMarked;
