/** The keyspace: shards, their locks and tables, entries, expiry. */
@NullMarked
package io.porteiro.server.store;

import org.jspecify.annotations.NullMarked;
