package io.porteiro.protocol;

/** The configured bounds of a request; asked again each time, because they can be changed. */
public interface RequestLimits {
  /** The longest argument, in bytes ({@code proto-max-bulk-len}). */
  long protoMaxBulkLen();

  /** The most that an unfinished request may hold, in bytes ({@code client-query-buffer-limit}). */
  long clientQueryBufferLimit();
}
