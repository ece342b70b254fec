/**
 * Off-heap memory: taken, counted, bounded and given back. The only user of the foreign-function
 * linker.
 */
@NullMarked
package io.porteiro.server.memory;

import org.jspecify.annotations.NullMarked;
