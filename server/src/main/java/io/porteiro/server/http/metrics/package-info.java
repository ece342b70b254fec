/** What there is to measure, in Prometheus's terms. */
@NullMarked
package io.porteiro.server.http.metrics;

import org.jspecify.annotations.NullMarked;
