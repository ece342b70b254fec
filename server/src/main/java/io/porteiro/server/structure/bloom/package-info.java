/** Bloom filters: chains of sub-filters, laid out as the Bloom module of Redis lays them out. */
@NullMarked
package io.porteiro.server.structure.bloom;

import org.jspecify.annotations.NullMarked;
