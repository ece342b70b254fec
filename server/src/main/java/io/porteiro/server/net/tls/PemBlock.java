package io.porteiro.server.net.tls;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One block of a PEM file; what stands between blocks is comment.
 *
 * <pre>
 *   -----BEGIN label-----
 *   name: value                  headers, only in old encrypted keys
 *
 *   base64...
 *   -----END label-----
 * </pre>
 */
record PemBlock(String label, Map<String, String> headers, byte[] content) {
  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "-----END ";
  private static final String DASHES = "-----";

  /**
   * The blocks of a text.
   *
   * @throws IllegalArgumentException if one has no end or is not in base64
   */
  static List<PemBlock> all(String text) {
    List<PemBlock> blocks = new ArrayList<>();
    List<String> lines = text.lines().map(String::strip).toList();
    int at = 0;
    while (at < lines.size()) {
      String label = label(lines.get(at), BEGIN);
      if (label.isEmpty()) {
        at++;
      } else {
        int end = end(lines, at, label);
        blocks.add(of(label, lines.subList(at + 1, end)));
        at = end + 1;
      }
    }
    return blocks;
  }

  private static String label(String line, String prefix) {
    boolean mark = line.startsWith(prefix) && line.endsWith(DASHES);
    return mark && line.length() > prefix.length() + DASHES.length()
        ? line.substring(prefix.length(), line.length() - DASHES.length())
        : "";
  }

  private static int end(List<String> lines, int begin, String label) {
    for (int i = begin + 1; i < lines.size(); i++) {
      if (label(lines.get(i), END).equals(label)) {
        return i;
      }
    }
    throw new IllegalArgumentException("the block " + label + " has no end");
  }

  private static PemBlock of(String label, List<String> lines) {
    Map<String, String> headers = new LinkedHashMap<>();
    StringBuilder base64 = new StringBuilder();
    for (String line : lines) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers.put(line.substring(0, colon), line.substring(colon + 1).strip());
      } else {
        base64.append(line);
      }
    }
    return new PemBlock(label, headers, Base64.getDecoder().decode(base64.toString()));
  }

  boolean isCertificate() {
    return label.equals("CERTIFICATE")
        || label.equals("X509 CERTIFICATE")
        || label.equals("TRUSTED CERTIFICATE");
  }

  boolean isPrivateKey() {
    return label.endsWith("PRIVATE KEY");
  }
}
