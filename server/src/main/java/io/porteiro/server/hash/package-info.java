/** Hash functions, random numbers to seed them with, and checksums. */
@NullMarked
package io.porteiro.server.hash;

import org.jspecify.annotations.NullMarked;
