package io.porteiro.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.command.pubsub.PubSubCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CommandTableTest {
  private final Requests requests = new Requests();

  @AfterEach
  void close() {
    requests.close();
  }

  private static CommandSpec spec(String name) {
    return CommandSpec.named(name).arity(1).parser(_ -> (_, reply) -> reply.ok()).build();
  }

  @Test
  void names_ofEveryLength_areFoundInAnyCase() {
    List<CommandSpec> specs = new ArrayList<>();
    for (int length = 1; length <= 40; length++) {
      specs.add(spec("abcdefghijklmnopqrstuvwxyz.0123456789_-x+".substring(0, length)));
    }
    CommandTable table = new CommandTable(specs);
    for (CommandSpec spec : specs) {
      String mixed =
          spec.name().substring(0, 1).toUpperCase(Locale.ROOT) + spec.name().substring(1);
      assertThat(table.find(requests.of(spec.name()))).isSameAs(spec);
      assertThat(table.find(requests.of(mixed))).isSameAs(spec);
      assertThat(table.find(requests.of(spec.name().toUpperCase(Locale.ROOT)))).isSameAs(spec);
      assertThat(table.find(spec.name().toUpperCase(Locale.ROOT))).isSameAs(spec);
    }
  }

  @Test
  void names_thatDifferOnlyInBitFive_collideAndAreToldApart() {
    CommandTable table = new CommandTable(List.of(spec("a[b"), spec("a{b")));

    assertThat(Objects.requireNonNull(table.find(requests.of("A{B"))).name()).isEqualTo("a{b");
    assertThat(Objects.requireNonNull(table.find(requests.of("A[B"))).name()).isEqualTo("a[b");
    assertThat(table.find(requests.of("a;b"))).isNull();
  }

  @Test
  void names_unknown_areNotFound() {
    CommandTable table = new CommandTable(List.of(spec("get"), spec("getex")));
    for (String name : new String[] {"", "ge", "getx", "get ", "get\0", "\0get", "g\u00e5t"}) {
      assertThat(table.find(requests.of(name))).as(name).isNull();
      assertThat(table.find(name)).as(name).isNull();
    }
  }

  @Test
  void name_twice_isAnErrorOfTheProgram() {
    assertThatThrownBy(() -> new CommandTable(List.of(spec("get"), spec("get"))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void commandsAndSubcommands_areNumberedThrough() {
    CommandTable table = new CommandTable(PubSubCommands.commands());

    for (int id = 0; id < table.byId().size(); id++) {
      assertThat(table.byId().get(id).id()).isEqualTo(id);
    }
    CommandSpec numsub = Objects.requireNonNull(table.find("PUBSUB|NumSub"));
    assertThat(numsub.fullName()).isEqualTo("pubsub|numsub");
    assertThat(table.byId()).contains(numsub);
    assertThat(table.find("pubsub|nope")).isNull();
    assertThat(table.find("nope|numsub")).isNull();
  }
}
