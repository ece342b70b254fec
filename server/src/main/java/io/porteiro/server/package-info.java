/** The server: how its parts are made, started and stopped. */
@NullMarked
package io.porteiro.server;

import org.jspecify.annotations.NullMarked;
