/** The page, and the figures that it shows. */
@NullMarked
package io.porteiro.server.http.page;

import org.jspecify.annotations.NullMarked;
