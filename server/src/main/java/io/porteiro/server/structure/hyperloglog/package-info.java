/** HyperLogLog in Redis's own representation, on the bytes of a string value. */
@NullMarked
package io.porteiro.server.structure.hyperloglog;

import org.jspecify.annotations.NullMarked;
