/** Connections: transport, pipeline, back-pressure. */
@NullMarked
package io.porteiro.server.net;

import org.jspecify.annotations.NullMarked;
