package io.porteiro.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class UsersTest {
  private final Users users = TestCatalog.users();

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void defaultUser_isThereFromTheStartAndMayDoAll() {
    assertThat(users.all()).containsExactly(users.defaultUser());
    assertThat(users.defaultUser().rights().isUnrestricted()).isTrue();
    assertThat(users.defaultUser().rights().isOpen()).isTrue();
    assertThatThrownBy(() -> users.remove(User.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void set_changesTheRightsOfTheUserThatConnectionsHold() throws RuleException {
    User user = users.set("a", List.of("on")).user();
    UserChange change = users.set("a", List.of("nopass", "+get"));
    assertThat(change.user()).isSameAs(user);
    assertThat(change.before()).hasToString("on sanitize-payload resetchannels -@all");
    assertThat(user).hasToString("user a on nopass sanitize-payload resetchannels -@all +get");
  }

  @Test
  void set_oneRuleWrong_changesNothing() throws RuleException {
    users.set("a", List.of("on"));
    assertThatThrownBy(() -> users.set("a", List.of("off", "foo")))
        .isInstanceOf(RuleException.class);
    assertThatThrownBy(() -> users.set("b", List.of("on", "foo")))
        .isInstanceOf(RuleException.class);
    assertThat(users.find("a")).hasToString("user a on sanitize-payload resetchannels -@all");
    assertThat(users.find("b")).isNull();
  }

  @Test
  void remove_leavesTheUserWithoutAnyRight() throws RuleException {
    User user = users.set("a", List.of("on", "nopass", "~*", "&*", "+@all")).user();
    UserChange change = users.remove("a");
    assertThat(change).isNotNull().extracting(UserChange::after).isNull();
    assertThat(user.isRemoved()).isTrue();
    assertThat(user.rights().isUnrestricted()).isFalse();
    assertThat(users.logIn("a", bytes("x"))).isNull();
    assertThat(users.remove("a")).isNull();
  }

  @Test
  void logIn_needsNameAndPassword() throws RuleException {
    User user = users.set("a", List.of("on", ">p\u00e9")).user();
    assertThat(users.logIn("a", bytes("p\u00e9"))).isSameAs(user);
    assertThat(users.logIn("a", bytes("p"))).isNull();
    assertThat(users.logIn("A", bytes("p\u00e9"))).isNull();
    assertThat(users.logIn("default", bytes("anything"))).isSameAs(users.defaultUser());
  }

  @Test
  void defaultPassword_replacesAllOthers() throws RuleException {
    users.set(User.DEFAULT, List.of(">old"));
    users.setDefaultPassword("new");
    assertThat(users.logIn(User.DEFAULT, bytes("old"))).isNull();
    assertThat(users.logIn(User.DEFAULT, bytes("new"))).isNotNull();
    users.setDefaultPassword("");
    assertThat(users.defaultUser().rights().isOpen()).isTrue();
  }

  @Test
  void all_areInOrderOfTheirBytes() throws RuleException {
    for (String name : List.of("b", "\u00ff", "Z", "aa", "")) {
      users.set(name, List.of());
    }
    assertThat(users.all())
        .extracting(User::name)
        .containsExactly("", "Z", "aa", "b", "default", "\u00ff");
  }
}
