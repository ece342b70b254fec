package io.porteiro.server.structure.string;

/** How a string is kept, with the names that OBJECT ENCODING answers. */
public enum StringEncoding {
  /** A number in place of its canonical decimal digits. */
  INT("int"),
  /** At most {@link StringValue#EMBEDDED_MAX_BYTES} bytes, as they were set. */
  EMBSTR("embstr"),
  /** Longer, or changed in place since it was set. */
  RAW("raw");

  private final String encodingName;

  StringEncoding(String encodingName) {
    this.encodingName = encodingName;
  }

  /** What OBJECT ENCODING answers. */
  public String encodingName() {
    return encodingName;
  }
}
