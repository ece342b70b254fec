package io.porteiro.server;

import io.porteiro.server.access.OpenSelectorException;
import io.porteiro.server.access.RuleException;
import io.porteiro.server.access.RuleText;
import io.porteiro.server.access.User;
import io.porteiro.server.access.UserFile;
import io.porteiro.server.access.UserFileException;
import io.porteiro.server.access.Users;
import io.porteiro.server.config.FatalConfigException;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.config.UserLine;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The users at start: of {@code requirepass}, {@code user} lines and the {@code aclfile}. */
final class ConfiguredUsers {
  private static final Pattern BLANK = Pattern.compile(" ");

  private final ServerConfig config;
  private final Users users;
  private final Set<String> seen = new HashSet<>();

  private ConfiguredUsers(ServerConfig config, Users users) {
    this.config = config;
    this.users = users;
  }

  /**
   * Makes the users that the configuration names, and lets CONFIG SET requirepass and CONFIG
   * REWRITE follow.
   *
   * @throws FatalConfigException if a rule is wrong, with its place
   */
  static void apply(ServerConfig config, Users users) throws FatalConfigException {
    ConfiguredUsers configured = new ConfiguredUsers(config, users);
    if (!config.requirepass().isEmpty()) {
      users.setDefaultPassword(config.requirepass());
    }
    for (UserLine line : config.userLines()) {
      configured.add(line);
    }
    if (!config.aclfile().isEmpty()) {
      configured.load();
    }
    config.onChange("requirepass", () -> users.setDefaultPassword(config.requirepass()));
    config.setUsersNow(configured::lines);
  }

  private void add(UserLine line) throws FatalConfigException {
    if (RuleText.hasSpaces(line.name())) {
      throw line.refused("Spaces not allowed in ACL usernames");
    }
    if (!seen.add(line.name())) {
      throw line.refused(
          "Error in user declaration '"
              + line.name()
              + "': Duplicate user found. A user can only be defined once in config files");
    }
    try {
      users.set(line.name(), rules(line));
    } catch (OpenSelectorException e) {
      throw line.refused("Error in user declaration '" + e.start() + "': " + e.getMessage());
    } catch (RuleException e) {
      throw line.refused("Error in user declaration '" + e.rule() + "': " + e.getMessage());
    }
  }

  /** The default user is there before, and begins anew. */
  private static List<String> rules(UserLine line) throws OpenSelectorException {
    List<String> rules = new ArrayList<>();
    if (line.name().equals(User.DEFAULT)) {
      rules.add("reset");
    }
    rules.addAll(RuleText.mergeSelectors(line.rules()));
    return rules;
  }

  private void load() throws FatalConfigException {
    if (!config.userLines().isEmpty()) {
      throw FatalConfigException.because(
          "Configuring the server with users defined in redis.conf and at the same setting an ACL"
              + " file path is invalid. This setup is very likely to lead to configuration errors"
              + " and security holes, please define either an ACL file or declare users directly in"
              + " your redis.conf, but not both.");
    }
    try {
      new UserFile(config.aclfilePath(), config.aclfile()).load(users);
    } catch (UserFileException e) {
      throw FatalConfigException.because("Aborting startup because of ACL errors: " + e.text());
    }
  }

  /** Users of a file are not written into the configuration. */
  private List<List<String>> lines() {
    if (!config.aclfile().isEmpty()) {
      return List.of();
    }
    return users.all().stream().map(user -> List.of(BLANK.split(user.toString()))).toList();
  }
}
