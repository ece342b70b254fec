package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users survive a restart, in the configuration or in a file of their own. */
class UserFilesIT {
  private static final Reply OK = new Reply.Simple("OK");

  private static Path write(ServerProcess server, String name, String text) throws IOException {
    return Files.writeString(server.directory().resolve(name), text);
  }

  private static List<String> users(RawConnection connection) {
    return connection.call("ACL", "LIST").asList().stream().map(AclText::of).toList();
  }

  /** A bulk reply as text. */
  private static final class AclText {
    static String of(Reply reply) {
      return reply instanceof Reply.Bulk(String bytes) ? bytes : reply.toString();
    }
  }

  @Test
  void userLines_andConfigRewrite_keepUsers() throws IOException {
    try (ServerProcess server = ServerProcess.prepared()) {
      Path config = write(server, "redis.conf", "user alice on >pw ~a* +get\nhz 11\n");
      server.startWithConfig(config);
      List<String> before;
      try (RawConnection admin = server.connect()) {
        assertThat(admin.call("ACL", "SETUSER", "bob", "on", "~\"q", "&\\", "(+set ~b)"))
            .isEqualTo(OK);
        before = users(admin);
        assertThat(admin.call("CONFIG", "REWRITE")).isEqualTo(OK);
      }
      server.stop();
      server.startWithConfig(config);
      try (RawConnection admin = server.connect()) {
        assertThat(users(admin)).isEqualTo(before).hasSize(3);
        assertThat(admin.call("AUTH", "alice", "pw")).isEqualTo(OK);
      }
    }
  }

  @Test
  void aclfile_savedAndReadAtStart_keepsUsers() throws IOException {
    try (ServerProcess server = ServerProcess.prepared("--aclfile", "users.acl")) {
      write(server, "users.acl", "user default on >pw ~* &* +@all\n");
      server.start();
      try (RawConnection admin = server.connect()) {
        assertThat(admin.call("GET", "a")).isInstanceOf(Reply.Failure.class);
        assertThat(admin.call("AUTH", "pw")).isEqualTo(OK);
        assertThat(admin.call("ACL", "SETUSER", "bob", "on", ">pw", "+get", "~b")).isEqualTo(OK);
        assertThat(admin.call("ACL", "SAVE")).isEqualTo(OK);
      }
      server.kill();
      server.start();
      try (RawConnection bob = server.connect()) {
        assertThat(bob.call("AUTH", "bob", "pw")).isEqualTo(OK);
        assertThat(bob.call("GET", "b")).isEqualTo(Reply.Special.NULL_BULK);
      }
    }
  }

  /** Whoever is still there keeps its connection, whoever is not loses it. */
  @Test
  void aclLoad_keepsConnectionsOfThoseWhoStay() throws IOException {
    try (ServerProcess server = ServerProcess.prepared("--aclfile", "users.acl")) {
      write(server, "users.acl", "user stays on nopass +get ~a\nuser goes on nopass +get ~a\n");
      server.start();
      try (RawConnection admin = server.connect();
          RawConnection stays = server.connect();
          RawConnection goes = server.connect()) {
        stays.call("AUTH", "stays", "x");
        goes.call("AUTH", "goes", "x");
        write(server, "users.acl", "user stays on nopass +get ~b\n");
        assertThat(admin.call("ACL", "LOAD")).isEqualTo(OK);
        assertThat(stays.call("GET", "b")).isEqualTo(Reply.Special.NULL_BULK);
        assertThat(stays.call("GET", "a")).isInstanceOf(Reply.Failure.class);
        assertThat(goes.awaitClose(java.time.Duration.ofSeconds(5))).isTrue();
        write(server, "users.acl", "user default off\nuser x on +nope\n");
        assertThat(admin.call("ACL", "LOAD").toString()).contains("users.acl:2: ", "+nope");
        assertThat(admin.call("PING")).isEqualTo(new Reply.Simple("PONG"));
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "user alice on +@nope|at line 2|'user alice on +@nope'|Unknown command or category name in ACL",
        "user alice (+get ~x|at line 2|'user alice (+get ~x'|Unmatched parenthesis in selector",
        "user hz|at line 2|'user hz'|Duplicate user found",
        "user \"a b\"|at line 2|'user \"a b\"'|Spaces not allowed in ACL usernames",
        "aclfile nosuch.acl|ACL|nosuch.acl|No such file or directory",
        "aclfile bad.acl|ACL|bad.acl:1: |Syntax error",
      })
  void brokenRule_stopsTheStartWithItsPlace(String line, String place, String what, String reason)
      throws IOException {
    try (ServerProcess server = ServerProcess.prepared()) {
      write(server, "bad.acl", "user a foo\n");
      String first = line.startsWith("aclfile") ? "hz 11" : "user hz";
      Path config = write(server, "redis.conf", first + "\n" + line + "\n");
      assertThat(server.runAlone(config.toString())).isEqualTo(1);
      assertThat(server.log()).contains(place).contains(what).contains(reason);
    }
  }

  @Test
  void userLinesAndAclfile_together_stopTheStart() throws IOException {
    try (ServerProcess server = ServerProcess.prepared()) {
      write(server, "users.acl", "user a on\n");
      Path config = write(server, "redis.conf", "aclfile users.acl\nuser b on\n");
      assertThat(server.runAlone(config.toString())).isEqualTo(1);
      assertThat(server.log()).contains("please define either an ACL file or declare users");
    }
  }
}
