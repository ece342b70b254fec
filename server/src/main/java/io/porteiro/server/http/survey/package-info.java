/** Looks over all keys for those who report on them. */
@NullMarked
package io.porteiro.server.http.survey;

import org.jspecify.annotations.NullMarked;
