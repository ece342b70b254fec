/** RESP2 and RESP3: requests in, replies out, on Netty buffers. */
@NullMarked
package io.porteiro.protocol;

import org.jspecify.annotations.NullMarked;
