package io.porteiro.server.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * {@code user}: only the default user with all rights, as Redis's CONFIG REWRITE writes it. A rule
 * that restricts must not be dropped in silence, so it refuses the start.
 */
final class UserLine {
  private static final Set<String> EVERYTHING =
      Set.of(
          "on",
          "~*",
          "&*",
          "+@all",
          "allkeys",
          "allchannels",
          "allcommands",
          "sanitize-payload",
          "skip-sanitize-payload");

  private final ServerConfig config;

  UserLine(ServerConfig config) {
    this.config = config;
  }

  void read(List<String> words) throws ConfigException {
    if (words.isEmpty()) {
      throw new ConfigException("Bad directive or wrong number of arguments");
    }
    if (!words.getFirst().equals("default") || !words.contains("on")) {
      throw new ConfigException(Rules.NO_ACL);
    }
    for (String rule : words.subList(1, words.size())) {
      read(rule);
    }
  }

  private void read(String rule) throws ConfigException {
    boolean known =
        EVERYTHING.contains(rule.toLowerCase(Locale.ROOT))
            || (rule.equals("nopass") && config.requirepass().isEmpty())
            || rule.equals("#" + sha256(config.requirepass()));
    if (!known) {
      throw new ConfigException(Rules.NO_ACL);
    }
  }

  private static String sha256(String password) {
    try {
      byte[] bytes = password.getBytes(StandardCharsets.ISO_8859_1);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }
}
