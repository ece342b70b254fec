/** Counters and what INFO tells of them. */
@NullMarked
package io.porteiro.server.metrics;

import org.jspecify.annotations.NullMarked;
