/** Hash functions and checksums. */
@NullMarked
package io.porteiro.server.hash;

import org.jspecify.annotations.NullMarked;
