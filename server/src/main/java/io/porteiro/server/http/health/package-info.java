/** Whether the server lives, and whether it can do its work. */
@NullMarked
package io.porteiro.server.http.health;

import org.jspecify.annotations.NullMarked;
