package io.porteiro.server.command.admin;

import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.Session;
import io.porteiro.server.metrics.InfoText;
import java.util.Collection;
import java.util.function.ToLongFunction;

/** INFO on the connections. */
final class ClientsInfo {
  private ClientsInfo() {}

  static void write(InfoText info, CommandContext context) {
    Collection<Session> sessions = context.services().clients().all();
    info.section("Clients")
        .field("connected_clients", sessions.size())
        .field("cluster_connections", 0)
        .field("maxclients", context.config().maxclients())
        .field("client_recent_max_input_buffer", max(sessions, s -> s.peer().inputBytes()))
        .field("client_recent_max_output_buffer", max(sessions, s -> s.peer().outputBytes()))
        .field("blocked_clients", sessions.stream().filter(Session::isWaiting).count())
        .field("tracking_clients", context.services().tracking().clients())
        .field("pubsub_clients", sessions.stream().filter(Session::isSubscriber).count())
        .field("watching_clients", sessions.stream().filter(s -> !s.watches().isEmpty()).count())
        .field("clients_in_timeout_table", 0)
        .field("total_watched_keys", sessions.stream().mapToInt(s -> s.watches().size()).sum())
        .field("total_blocking_keys", 0)
        .field("total_blocking_keys_on_nokey", 0);
  }

  private static long max(Collection<Session> sessions, ToLongFunction<Session> figure) {
    return sessions.stream().mapToLong(figure).max().orElse(0);
  }
}
