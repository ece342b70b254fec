package io.porteiro.server.access;

import org.jspecify.annotations.Nullable;

/**
 * A user whose rights were replaced.
 *
 * @param before null for a user who was not there
 * @param after null for one who is no more
 */
public record UserChange(User user, @Nullable Rights before, @Nullable Rights after) {}
