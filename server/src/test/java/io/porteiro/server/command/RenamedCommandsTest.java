package io.porteiro.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.access.User;
import io.porteiro.server.access.Users;
import io.porteiro.server.config.ConfigException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RenamedCommandsTest {
  private final List<CommandSpec> commands =
      List.of(
          CommandSpec.named("get").arity(2).build(),
          CommandSpec.named("config")
              .arity(-2)
              .subcommands(CommandSpec.named("set").arity(-4))
              .build());

  private CommandTable renamed(String... names) throws ConfigException {
    Map<String, String> renames = new LinkedHashMap<>();
    for (int i = 0; i < names.length; i += 2) {
      renames.put(names[i], names[i + 1]);
    }
    return CommandTable.of(commands, renames);
  }

  @Test
  void rename_toAnotherName_onlyThatOneIsFound() throws ConfigException {
    CommandTable table = renamed("CONFIG", "Secret");
    assertThat(table.find("config")).isNull();
    assertThat(table.find("config|set")).isNull();
    assertThat(table.find("SECRET|set")).isNotNull();
    assertThat(table.commands()).hasSize(2);
  }

  @Test
  void rename_toNothing_takesTheCommandAway() throws ConfigException {
    CommandTable table = renamed("config", "");
    assertThat(table.find("config")).isNull();
    assertThat(table.byId()).extracting(CommandSpec::fullName).containsExactly("get");
  }

  @Test
  void rename_inTurn_namesBecomeFree() throws ConfigException {
    CommandTable table = renamed("get", "fetch", "config", "get");
    assertThat(table.find("get")).hasToString("config");
    assertThat(table.find("fetch")).hasToString("get");
  }

  @Test
  void rename_unknownOrTaken_isRefused() {
    assertThatThrownBy(() -> renamed("nosuch", "x"))
        .hasMessageStartingWith("No such command in rename-command");
    assertThatThrownBy(() -> renamed("get", "config"))
        .hasMessageStartingWith("Target command name already exists");
  }

  /**
   * As in Redis: rules go with the command, whatever it is called, or whether it is called at all.
   */
  @Test
  void accessRules_nameCommandsAsTheyWereCalled() throws Exception {
    Users users = new Users(renamed("get", "fetch", "config", "").catalog(), () -> false);
    User user = users.set("u", List.of("+get", "+config|set", "-config")).user();
    assertThat(user).hasToString("user u off sanitize-payload resetchannels -@all +get -config");
    assertThatThrownBy(() -> users.set("u", List.of("+fetch")))
        .hasMessage("Unknown command or category name in ACL");
    users.set("u", List.of("+@all", "~*", "&*"));
    assertThat(user.rights().isUnrestricted()).isTrue();
  }
}
