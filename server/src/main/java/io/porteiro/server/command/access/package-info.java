/** ACL: users and what was denied to them. */
@NullMarked
package io.porteiro.server.command.access;

import org.jspecify.annotations.NullMarked;
