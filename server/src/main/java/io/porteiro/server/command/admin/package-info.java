/** Commands of operators: configuration, INFO, saving. */
@NullMarked
package io.porteiro.server.command.admin;

import org.jspecify.annotations.NullMarked;
