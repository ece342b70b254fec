package io.porteiro.server.command.admin;

import static io.porteiro.server.command.CommandFlag.ADMIN;
import static io.porteiro.server.command.CommandFlag.LOADING;
import static io.porteiro.server.command.CommandFlag.NOSCRIPT;
import static io.porteiro.server.command.CommandFlag.STALE;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandParser;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Help;
import io.porteiro.server.command.Operation;
import io.porteiro.server.metrics.Metrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** LATENCY: spikes beyond {@code latency-monitor-threshold}, and how long each command takes. */
final class LatencyCommands {
  private final LatencyMonitor monitor;

  private LatencyCommands(LatencyMonitor monitor) {
    this.monitor = monitor;
  }

  static CommandSpec spec(LatencyMonitor monitor) {
    LatencyCommands commands = new LatencyCommands(monitor);
    return CommandSpec.named("latency")
        .arity(-2)
        .subcommands(
            tipped("latest", 2, commands::latest),
            tipped("history", 3, commands::history),
            tipped("graph", 3, commands::graph),
            tipped("doctor", 2, commands::doctor),
            tipped("histogram", -2, commands::histogram),
            subcommand("reset", -2, commands::reset)
                .tips("request_policy:all_nodes", "response_policy:agg_sum"),
            help())
        .build();
  }

  private static CommandSpec.Builder tipped(String name, int arity, CommandParser parser) {
    return subcommand(name, arity, parser)
        .tips("nondeterministic_output", "request_policy:all_nodes", "response_policy:special");
  }

  private static CommandSpec.Builder subcommand(String name, int arity, CommandParser parser) {
    return CommandSpec.named(name)
        .arity(arity)
        .flags(ADMIN, NOSCRIPT, LOADING, STALE)
        .parser(parser);
  }

  private static CommandSpec.Builder help() {
    return Help.of(
        "latency",
        "DOCTOR",
        "    What the samples say, in words.",
        "GRAPH <event>",
        "    The samples of an event, drawn.",
        "HISTORY <event>",
        "    The samples of an event: time of day and milliseconds.",
        "LATEST",
        "    The latest and the worst sample of each event.",
        "RESET [<event> ...]",
        "    Forget the samples of these events (default: of all).",
        "HISTOGRAM [<command> ...]",
        "    How many calls of these commands (default: of all) took at most how long.");
  }

  private Operation latest(CommandContext unused) {
    return (context, reply) -> {
      Map<String, LatencyMonitor.History> events = monitor.all();
      reply.array(events.size());
      events.forEach((event, history) -> {
        reply.array(4);
        reply.bulk(event);
        reply.integer(history.latest().unixSeconds());
        reply.integer(history.latest().milliseconds());
        reply.integer(history.maxMilliseconds());
      });
    };
  }

  private Operation history(CommandContext context) {
    String event = context.arguments().nextText();
    return (applied, reply) -> {
      List<LatencyMonitor.Sample> samples = monitor.of(event).samples();
      reply.array(samples.size());
      for (LatencyMonitor.Sample sample : samples) {
        reply.array(2);
        reply.integer(sample.unixSeconds());
        reply.integer(sample.milliseconds());
      }
    };
  }

  private Operation graph(CommandContext context) {
    String event = context.arguments().nextText();
    return (applied, reply) -> {
      LatencyMonitor.History history = monitor.of(event);
      if (history.samples().isEmpty()) {
        throw new CommandException("ERR No samples available for event '" + event + "'");
      }
      reply.verbatim("txt", LatencyGraph.draw(event, history));
    };
  }

  private Operation doctor(CommandContext unused) {
    return (context, reply) ->
        reply.verbatim("txt", diagnosis(context.config().latencyMonitorThreshold()));
  }

  private String diagnosis(long thresholdMs) {
    if (thresholdMs == 0) {
      return "Latencies are not monitored: set latency-monitor-threshold to the milliseconds from"
          + " which on they matter.\n";
    }
    StringBuilder text = new StringBuilder();
    monitor
        .all()
        .forEach((event, history) ->
            text.append(event)
                .append(": ")
                .append(history.samples().size())
                .append(" seconds with spikes, the latest of ")
                .append(history.latest().milliseconds())
                .append(" ms, the worst of ")
                .append(history.maxMilliseconds())
                .append(" ms.\n"));
    return text.isEmpty() ? "Nothing took " + thresholdMs + " ms or longer.\n" : text.toString();
  }

  private Operation reset(CommandContext context) {
    Arguments arguments = context.arguments();
    List<String> events = new ArrayList<>();
    while (arguments.hasNext()) {
      events.add(arguments.nextText());
    }
    return (applied, reply) ->
        reply.integer(
            events.isEmpty() ? monitor.clear() : events.stream().filter(monitor::clear).count());
  }

  private Operation histogram(CommandContext context) {
    Arguments arguments = context.arguments();
    List<CommandSpec> specs = new ArrayList<>();
    if (!arguments.hasNext()) {
      specs.addAll(context.services().table().byId());
    }
    while (arguments.hasNext()) {
      addNamed(context, arguments.nextText(), specs);
    }
    return (applied, reply) -> writeHistograms(applied.services().metrics(), specs, reply);
  }

  /** The name of a container stands for all its subcommands. */
  private static void addNamed(CommandContext context, String name, List<CommandSpec> specs) {
    CommandSpec spec = context.services().table().find(name);
    if (spec != null) {
      specs.add(spec);
      specs.addAll(spec.subcommands());
    }
  }

  private static void writeHistograms(Metrics metrics, List<CommandSpec> specs, ReplyWriter reply) {
    List<CommandSpec> called = specs.stream().filter(s -> metrics.calls(s.id()) > 0).toList();
    reply.map(called.size());
    for (CommandSpec spec : called) {
      reply.bulk(spec.fullName());
      reply.map(2);
      reply.bulk("calls");
      reply.integer(metrics.calls(spec.id()));
      reply.bulk("histogram_usec");
      writeBuckets(metrics.latency(spec.id()).cumulativeByMicros(), reply);
    }
  }

  private static void writeBuckets(Map<Long, Long> counts, ReplyWriter reply) {
    reply.map(counts.size());
    counts.forEach((micros, count) -> {
      reply.integer(micros);
      reply.integer(count);
    });
  }
}
