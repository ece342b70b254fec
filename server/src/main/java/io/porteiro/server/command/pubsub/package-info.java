/** Publish and subscribe. */
@NullMarked
package io.porteiro.server.command.pubsub;

import org.jspecify.annotations.NullMarked;
