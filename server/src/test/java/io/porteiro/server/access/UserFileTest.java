package io.porteiro.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserFileTest {
  @TempDir private Path directory;
  private final Users users = TestCatalog.users();

  private Path path() {
    return directory.resolve("users.acl");
  }

  private UserFile file() {
    return new UserFile(path(), "users.acl");
  }

  private UserFile file(String text) throws IOException {
    Files.writeString(path(), text);
    return file();
  }

  private List<String> lines() {
    return users.all().stream().map(User::toString).toList();
  }

  @Test
  void load_putsItsUsersInThePlaceOfAll() throws Exception {
    users.set("old", List.of("on"));
    users.set("both", List.of("on", "&a"));
    User both = users.find("both");
    List<UserChange> changes =
        file("\n  user both off  ~x \n\tuser new on (+get  ~a)\r\n").load(users);
    assertThat(lines())
        .containsExactly(
            "user both off sanitize-payload ~x resetchannels -@all",
            "user default on nopass sanitize-payload ~* &* +@all",
            "user new on sanitize-payload resetchannels -@all (~a resetchannels -@all +get)");
    assertThat(users.find("both")).isSameAs(both);
    assertThat(changes)
        .filteredOn(change -> change.after() == null)
        .extracting(change -> change.user().name())
        .containsExactly("old");
  }

  @Test
  void load_ofALineThatIsWrong_namesAllAndChangesNothing() throws IOException {
    List<String> before = lines();
    UserFile file =
        file(
            "user a on\nuser b on +@nope +nope\nfoo\nuser a on\n\nuser c off bad worse\nuser\n"
                + "user d (+get\nuser e #1 +x");
    assertThatThrownBy(() -> file.load(users))
        .hasMessage(
            "users.acl:2: Error in applying operation '+@nope': Unknown command or category name in"
                + " ACL. users.acl:2: Error in applying operation '+nope': Unknown command or"
                + " category name in ACL. users.acl:3 should start with user keyword followed by the"
                + " username. WARNING: Duplicate user 'a' found on line 4. users.acl:6: Syntax"
                + " error. users.acl:7 should start with user keyword followed by the username."
                + " users.acl:8: Unmatched parenthesis in selector definition.users.acl:9: The"
                + " password hash must be exactly 64 characters and contain only lowercase"
                + " hexadecimal characters. users.acl:9: Error in applying operation '+x': Unknown"
                + " command or category name in ACL. WARNING: ACL errors detected, no change to the"
                + " previously active ACL rules was performed");
    assertThat(lines()).isEqualTo(before);
  }

  @Test
  void load_ofNoFile_saysSo() {
    assertThatThrownBy(() -> file().load(users))
        .hasMessage("Error loading ACLs, opening file 'users.acl': No such file or directory");
  }

  @Test
  void save_canBeLoadedAgain() throws Exception {
    users.set(
        "\u00ff\"x", List.of("on", ">pw", "%R~\"a", "&\\", "+@all", "-config|set", "(+get ~a)"));
    List<String> before = lines();
    file().save(users);
    users.set("another", List.of());
    file().load(users);
    assertThat(lines()).isEqualTo(before);
  }

  @Test
  void save_leavesOneFileForItsOwnerAlone_orAsItWas() throws Exception {
    file().save(users);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path())))
        .isEqualTo("rw-------");
    Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("rw-r-----"));
    file().save(users);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path())))
        .isEqualTo("rw-r-----");
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(path());
    }
  }

  @Test
  void save_whereItCannot_leavesNothingBehind() throws IOException {
    Files.createDirectories(path().resolve("in the way"));
    assertThatThrownBy(() -> file().save(users)).isInstanceOf(IOException.class);
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(path());
    }
  }
}
