package io.porteiro.server.persistence;

/**
 * Why there is no snapshot.
 *
 * @param reason for the operator
 */
record SnapshotFailure(Kind kind, String reason) {
  enum Kind {
    /** Given up on request, because the server ends: nothing is wrong. */
    ABANDONED,
    /**
     * Given up because what changed meanwhile needed more memory than there was: the next one may
     * succeed, and no write is refused for it.
     */
    TOO_MANY_CHANGES,
    /** It could not be written. */
    FAILED
  }
}
