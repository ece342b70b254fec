/** Redis's RDB encoding of values and files. */
@NullMarked
package io.porteiro.server.rdb;

import org.jspecify.annotations.NullMarked;
