/**
 * An application with a filter before its database: "is this user name taken?", a cache that keeps
 * only what is asked for twice, and unique visitors.
 */
@NullMarked
package io.porteiro.examples.gatekeeper;

import org.jspecify.annotations.NullMarked;
