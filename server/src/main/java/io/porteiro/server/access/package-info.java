/**
 * Who may do what: users, their passwords and rights, the rules that give them, the file that keeps
 * them, the log of what was denied.
 */
@NullMarked
package io.porteiro.server.access;

import org.jspecify.annotations.NullMarked;
