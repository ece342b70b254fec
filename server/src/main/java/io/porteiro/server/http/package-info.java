/** The HTTP port: health, metrics, and a page to look at. */
@NullMarked
package io.porteiro.server.http;

import org.jspecify.annotations.NullMarked;
