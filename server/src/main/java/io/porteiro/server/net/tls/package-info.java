/** Encrypted connections: what the directives name is read and made into contexts of TLS. */
@NullMarked
package io.porteiro.server.net.tls;

import org.jspecify.annotations.NullMarked;
