/** Commands on keys of any type. */
@NullMarked
package io.porteiro.server.command.keyspace;

import org.jspecify.annotations.NullMarked;
