package io.porteiro.server.structure.bloom;

/** What became of an item that was to be added. Only {@link #ADDED} changed the filter. */
public enum AddOutcome {
  ADDED,
  /** It was there, or its bits were all set by others. */
  PRESENT,
  /** The chain has as many items as it was made for and does not scale. */
  FULL,
  /** The chain has to grow, but no further link can be made: size, rate or memory. */
  CANNOT_GROW
}
