package io.porteiro.server.command.admin;

import static io.porteiro.server.command.CommandFlag.LOADING;
import static io.porteiro.server.command.CommandFlag.STALE;

import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Operation;
import io.porteiro.server.metrics.InfoText;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/** INFO: which sections were asked for. What they say is {@link InfoSections}'s. */
final class InfoCommand {
  private final InfoSections sections;

  private InfoCommand(InfoSections sections) {
    this.sections = sections;
  }

  static CommandSpec spec(ServerIdentity identity) {
    return CommandSpec.named("info")
        .arity(-1)
        .flags(LOADING, STALE)
        .categories("dangerous")
        .tips("nondeterministic_output", "request_policy:all_shards", "response_policy:special")
        .parser(new InfoCommand(new InfoSections(identity))::info)
        .build();
  }

  private Operation info(CommandContext context) {
    Set<String> wanted = wanted(context.arguments());
    return (applied, reply) -> {
      InfoText text = new InfoText();
      sections
          .all()
          .forEach((name, section) -> {
            if (wanted.contains(name)) {
              section.write(text, applied);
            }
          });
      reply.verbatim("txt", text.toString());
    };
  }

  /** Unknown names are passed over. */
  private Set<String> wanted(Arguments arguments) {
    if (!arguments.hasNext()) {
      return Set.copyOf(sections.named("default"));
    }
    Set<String> wanted = new LinkedHashSet<>();
    while (arguments.hasNext()) {
      wanted.addAll(sections.named(arguments.nextText().toLowerCase(Locale.ROOT)));
    }
    return wanted;
  }
}
