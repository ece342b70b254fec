/** Patterns over byte strings: KEYS, channels, access rules. */
@NullMarked
package io.porteiro.server.glob;

import org.jspecify.annotations.NullMarked;
