package io.porteiro.server.command.access;

import static io.porteiro.server.command.CommandFlag.ADMIN;
import static io.porteiro.server.command.CommandFlag.LOADING;
import static io.porteiro.server.command.CommandFlag.NOSCRIPT;
import static io.porteiro.server.command.CommandFlag.STALE;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.access.Catalog;
import io.porteiro.server.access.User;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.Authorization;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandParser;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Denials;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.Help;
import io.porteiro.server.command.Operation;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * ACL: who may do what.
 *
 * @see <a href="https://redis.io/docs/latest/commands/acl/">Redis ACL</a>
 */
public final class AccessCommands {
  private static final int DEFAULT_PASSWORD_BITS = 256;
  private static final int MAX_PASSWORD_BITS = 4096;
  private static final int BITS_PER_DIGIT = 4;

  /** The command that DRYRUN looks at begins here. */
  private static final int TRIED_COMMAND = 3;

  private AccessCommands() {}

  /** All commands of the family. */
  public static List<CommandSpec> commands() {
    return List.of(
        CommandSpec.named("acl")
            .arity(-2)
            .subcommands(
                anyones("cat", -2, AccessCommands::cat),
                admins("deluser", -3, UserCommands::delete),
                admins("dryrun", -4, AccessCommands::dryRun),
                anyones("genpass", -2, AccessCommands::generatePassword),
                admins("getuser", 3, UserCommands::get),
                admins("list", 2, UserCommands::list),
                admins("load", 2, UserCommands::load),
                admins("log", -2, LogCommand::parse),
                admins("save", 2, UserCommands::save),
                admins("setuser", -3, UserCommands::set),
                admins("users", 2, UserCommands::names),
                anyones("whoami", 2, AccessCommands::whoAmI),
                help())
            .build());
  }

  private static CommandSpec.Builder anyones(String name, int arity, CommandParser parser) {
    return CommandSpec.named(name).arity(arity).flags(NOSCRIPT, LOADING, STALE).parser(parser);
  }

  private static CommandSpec.Builder admins(String name, int arity, CommandParser parser) {
    return anyones(name, arity, parser).flags(ADMIN);
  }

  private static CommandSpec.Builder help() {
    return Help.of(
        "acl",
        "CAT [<category>]",
        "    The commands of a category; without one, all categories.",
        "DELUSER <username> [<username> ...]",
        "    Delete users and close their connections.",
        "DRYRUN <username> <command> [<arg> ...]",
        "    Whether a user may execute a command, without executing it.",
        "GENPASS [<bits>]",
        "    A random password of 256 bits, or of so many.",
        "GETUSER <username>",
        "    The rules of a user.",
        "LIST",
        "    All users with their rules, as in a configuration file.",
        "LOAD",
        "    Read the users from the ACL file.",
        "LOG [<count> | RESET]",
        "    What was denied of late.",
        "SAVE",
        "    Write the users into the ACL file.",
        "SETUSER <username> [<rule> [<rule> ...]]",
        "    Apply rules to a user, or to a new one.",
        "USERS",
        "    The names of all users.",
        "WHOAMI",
        "    The user of this connection.");
  }

  static void requireCount(CommandContext context, int most) {
    if (context.request().count() > most) {
      throw new CommandException(
          "ERR unknown subcommand or wrong number of arguments for '"
              + context.arguments().toldAt(1).toUpperCase(Locale.ROOT)
              + "'. Try ACL HELP.");
    }
  }

  static void bulks(ReplyWriter reply, Collection<String> texts) {
    reply.array(texts.size());
    texts.forEach(reply::bulk);
  }

  private static Operation cat(CommandContext context) {
    requireCount(context, 3);
    Arguments arguments = context.arguments();
    if (!arguments.hasNext()) {
      return (applied, reply) -> bulks(reply, Catalog.CATEGORIES);
    }
    String category = arguments.toldAt(arguments.skip());
    List<String> names = context.services().users().catalog().namesOf(category);
    if (names == null) {
      throw new CommandException("ERR Unknown category '" + category + "'");
    }
    return (applied, reply) -> bulks(reply, names);
  }

  private static Operation whoAmI(CommandContext unused) {
    return (context, reply) -> reply.bulk(context.session().user().name());
  }

  private static Operation generatePassword(CommandContext context) {
    requireCount(context, 3);
    Arguments arguments = context.arguments();
    long bits = arguments.hasNext() ? arguments.nextLong() : DEFAULT_PASSWORD_BITS;
    if (bits <= 0 || bits > MAX_PASSWORD_BITS) {
      throw new CommandException(
          "ERR ACL GENPASS argument must be the number of bits for the output password, a positive"
              + " number up to "
              + MAX_PASSWORD_BITS);
    }
    return (applied, reply) -> reply.bulk(password((int) bits));
  }

  private static String password(int bits) {
    int digits = (bits + BITS_PER_DIGIT - 1) / BITS_PER_DIGIT;
    byte[] random = new byte[(digits + 1) / 2];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random).substring(0, digits);
  }

  private static Operation dryRun(CommandContext context) {
    User user = UserCommands.named(context, context.arguments().nextText());
    CommandSpec spec = triedCommand(context);
    if (!spec.admits(context.request().count() - TRIED_COMMAND)) {
      throw Errors.wrongArity(spec.fullName());
    }
    return (applied, reply) -> tryOut(applied, user, spec, reply);
  }

  private static CommandSpec triedCommand(CommandContext context) {
    Arguments arguments = context.arguments();
    String name = arguments.textAt(TRIED_COMMAND);
    String subcommand =
        arguments.count() > TRIED_COMMAND + 1 ? arguments.textAt(TRIED_COMMAND + 1) : null;
    CommandSpec spec = context.services().table().find(name, subcommand);
    if (spec == null) {
      throw new CommandException("ERR Command '" + arguments.toldAt(TRIED_COMMAND) + "' not found");
    }
    return spec;
  }

  private static void tryOut(
      CommandContext context, User user, CommandSpec spec, ReplyWriter reply) {
    long verdict = Authorization.check(user.rights(), spec, context.request(), TRIED_COMMAND);
    if (verdict == Authorization.PERMITTED) {
      reply.ok();
    } else {
      reply.bulk(Denials.detail(user, spec, context.request(), verdict));
    }
  }
}
