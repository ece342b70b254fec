package io.porteiro.server.command.access;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.access.OpenSelectorException;
import io.porteiro.server.access.Rights;
import io.porteiro.server.access.RuleException;
import io.porteiro.server.access.RuleText;
import io.porteiro.server.access.Selector;
import io.porteiro.server.access.User;
import io.porteiro.server.access.UserChange;
import io.porteiro.server.access.UserFile;
import io.porteiro.server.access.UserFileException;
import io.porteiro.server.access.Users;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The subcommands of ACL that look at users or change them. */
final class UserCommands {
  private static final Logger log = LoggerFactory.getLogger(UserCommands.class);

  private static final String NO_FILE =
      "ERR This Redis instance is not configured to use an ACL file. You may want to specify users"
          + " via the ACL SETUSER command and then issue a CONFIG REWRITE (assuming you have a Redis"
          + " configuration file set) in order to store users in the Redis configuration.";
  private static final String NOT_SAVED =
      "ERR There was an error trying to save the ACLs. Please check the server logs for more"
          + " information";

  private UserCommands() {}

  private static Users users(CommandContext context) {
    return context.services().users();
  }

  /**
   * The user of this name.
   *
   * @throws CommandException if there is none
   */
  static User named(CommandContext context, String name) {
    User user = users(context).find(name);
    if (user == null) {
      throw new CommandException("ERR User '" + name + "' not found");
    }
    return user;
  }

  static Operation names(CommandContext unused) {
    return (context, reply) ->
        AccessCommands.bulks(reply, users(context).all().stream().map(User::name).toList());
  }

  static Operation list(CommandContext unused) {
    return (context, reply) ->
        AccessCommands.bulks(reply, users(context).all().stream().map(User::toString).toList());
  }

  // ---- GETUSER

  static Operation get(CommandContext context) {
    String name = context.arguments().nextText();
    return (applied, reply) -> {
      User user = users(applied).find(name);
      if (user == null) {
        reply.nullBulk();
      } else {
        describe(user.rights(), reply);
      }
    };
  }

  private static void describe(Rights rights, ReplyWriter reply) {
    reply.map(6);
    reply.bulk("flags");
    reply.set(rights.flags().size());
    rights.flags().forEach(reply::bulk);
    reply.bulk("passwords");
    AccessCommands.bulks(reply, rights.passwordHashes());
    describe(rights.selectors().getFirst(), reply);
    List<Selector> others = rights.selectors().subList(1, rights.selectors().size());
    reply.bulk("selectors");
    reply.array(others.size());
    for (Selector selector : others) {
      reply.map(3);
      describe(selector, reply);
    }
  }

  private static void describe(Selector selector, ReplyWriter reply) {
    reply.bulk("commands");
    reply.bulk(selector.commandRules());
    reply.bulk("keys");
    reply.bulk(selector.keyRules());
    reply.bulk("channels");
    reply.bulk(selector.channelRules());
  }

  // ---- SETUSER, DELUSER

  private static List<String> rest(Arguments arguments) {
    List<String> words = new ArrayList<>();
    while (arguments.hasNext()) {
      words.add(arguments.nextText());
    }
    return words;
  }

  static Operation set(CommandContext context) {
    String name = context.arguments().nextText();
    if (RuleText.hasSpaces(name)) {
      throw new CommandException("ERR Usernames can't contain spaces or null characters");
    }
    List<String> rules = rules(rest(context.arguments()));
    return (applied, reply) -> {
      Disconnection.follow(applied, changed(applied, name, rules));
      reply.ok();
    };
  }

  private static List<String> rules(List<String> words) {
    try {
      return RuleText.mergeSelectors(words);
    } catch (OpenSelectorException e) {
      throw new CommandException(
          "ERR Unmatched parenthesis in acl selector starting at '" + told(e.start()) + "'.");
    }
  }

  private static UserChange changed(CommandContext context, String name, List<String> rules) {
    try {
      return users(context).set(name, rules);
    } catch (RuleException e) {
      throw new CommandException(
          "ERR Error in ACL SETUSER modifier '" + told(e.rule()) + "': " + e.getMessage());
    }
  }

  /** Up to the first zero byte, as C prints it. */
  private static String told(String text) {
    int zero = text.indexOf(0);
    return zero < 0 ? text : text.substring(0, zero);
  }

  static Operation delete(CommandContext context) {
    List<String> names = rest(context.arguments());
    if (names.contains(User.DEFAULT)) {
      throw new CommandException("ERR The 'default' user cannot be removed");
    }
    return (applied, reply) -> reply.integer(deleted(applied, names));
  }

  private static int deleted(CommandContext context, List<String> names) {
    int deleted = 0;
    for (String name : names) {
      UserChange change = users(context).remove(name);
      if (change != null) {
        Disconnection.follow(context, change);
        deleted++;
      }
    }
    return deleted;
  }

  // ---- LOAD, SAVE

  private static UserFile file(CommandContext context) {
    String name = context.config().aclfile();
    if (name.isEmpty()) {
      throw new CommandException(NO_FILE);
    }
    return new UserFile(context.config().aclfilePath(), name);
  }

  static Operation load(CommandContext context) {
    UserFile file = file(context);
    return (applied, reply) -> {
      try {
        file.load(users(applied)).forEach(change -> Disconnection.follow(applied, change));
      } catch (UserFileException e) {
        throw new CommandException("ERR " + e.text());
      }
      reply.ok();
    };
  }

  static Operation save(CommandContext context) {
    UserFile file = file(context);
    return (applied, reply) -> {
      try {
        file.save(users(applied));
      } catch (IOException e) {
        log.error("The users could not be saved to {}", applied.config().aclfile(), e);
        throw new CommandException(NOT_SAVED);
      }
      reply.ok();
    };
  }
}
