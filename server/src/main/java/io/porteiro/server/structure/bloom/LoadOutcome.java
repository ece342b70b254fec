package io.porteiro.server.structure.bloom;

/** What became of a chunk that was to be laid into a filter. Only {@link #LOADED} changed it. */
public enum LoadOutcome {
  LOADED,
  /** The iterator is not positive, or less than the length of the chunk. */
  BAD_DATA,
  /** The chunk would begin outside of all links. */
  NO_LINK,
  /** The chunk would end beyond the link that it begins in. */
  TOO_BIG
}
