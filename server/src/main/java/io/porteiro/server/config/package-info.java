/** Settings, under the names of redis.conf. */
@NullMarked
package io.porteiro.server.config;

import org.jspecify.annotations.NullMarked;
