package io.porteiro.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.process.RedisProcess;
import io.porteiro.it.process.RespProcess;
import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page as a browser makes it: headless Chromium, where it is installed. */
class PageIT {
  /** Time of the page's own clock, which Chromium turns as fast as the page allows. */
  private static final int PAGE_TIME_MS = 4000;

  private final int httpPort = RespProcess.freePort();
  @TempDir private Path directory;

  @BeforeEach
  void assumeChromium() {
    RedisProcess.assumeInstalled("chromium");
  }

  private ServerProcess started(String... arguments) {
    return ServerProcess.started(
        Stream.concat(Stream.of("--http-port", Integer.toString(httpPort)), Stream.of(arguments))
            .toArray(String[]::new));
  }

  /** What Chromium printed with these options on the page. */
  private String chromium(int width, String... options) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--user-data-dir=" + directory.resolve("profile"),
                "--window-size=" + width + ",1400",
                "--virtual-time-budget=" + PAGE_TIME_MS));
    command.addAll(List.of(options));
    command.add("http://127.0.0.1:" + httpPort + "/");
    RedisProcess.Output output = RedisProcess.run(directory, command.toArray(String[]::new));
    assertThat(output.exitCode()).isZero();
    return new String(output.text().getBytes(ISO_8859_1), UTF_8);
  }

  private String dom() {
    return chromium(1280, "--dump-dom");
  }

  @Test
  void page_ofAServerWithFilters_showsThem() {
    try (ServerProcess server = started()) {
      server.call("BF.RESERVE", "user names", "0.01", "1000");
      server.call("BF.MADD", "user names", "a", "b", "c");
      server.call("PFADD", "visitors", "a");
      String dom = dom();
      assertThat(dom)
          .contains(">Ready</p>")
          .contains(">user names</bdi>")
          .contains("3 of 1,000")
          .contains("at most 1 %")
          .contains("1 sub-filter")
          .contains("next one ×2")
          .contains("1 filter<");
      assertThat(dom).containsPattern("id=\"hll-count\">1<");
    }
  }

  @Test
  void page_ofAnEmptyServer_tellsHowToBegin() {
    try (ServerProcess server = started()) {
      assertThat(dom()).contains("No filters yet").contains("BF.RESERVE seen");
      assertThat(server.isAlive()).isTrue();
    }
  }

  /** The title would be another one if any of these ran. */
  @Test
  void page_withKeysThatAreMarkup_showsThemAsText() {
    List<String> keys =
        List.of(
            "<script>document.title='harmed'</script>",
            "<img src=x onerror=\"document.title='harmed'\">",
            "</bdi><svg onload=document.title='harmed'>",
            "\"><iframe srcdoc=\"<script>parent.document.title='harmed'</script>\">");
    try (ServerProcess server = started();
        RawConnection connection = server.connect()) {
      keys.forEach(key -> connection.call("BF.ADD", key, "x"));
      connection.call("BF.ADD", "\u00ff\u00fe<b>", "x");
      String dom = dom();
      assertThat(dom)
          .contains("<title>Porteiro</title>")
          .contains("&lt;script&gt;document.title='harmed'&lt;/script&gt;</bdi>")
          .contains("&lt;img src=x onerror=")
          .contains("\\xff\\xfe&lt;b&gt;</bdi>")
          .contains("5 filters")
          .doesNotContain("<iframe")
          .doesNotContain("<img src=\"x\"")
          .doesNotContain("<svg onload");
    }
  }

  @Test
  void page_atEveryWidth_canBePainted() throws IOException {
    try (ServerProcess server = started()) {
      server.call("BF.ADD", "f".repeat(500), "x");
      for (int width : new int[] {500, 1280}) {
        Path file = directory.resolve("page" + width + ".png");
        chromium(width, "--screenshot=" + file);
        assertThat(Files.size(file)).isGreaterThan(10_000);
      }
      assertThat(server.isAlive()).isTrue();
    }
  }
}
