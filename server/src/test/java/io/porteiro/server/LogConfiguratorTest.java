package io.porteiro.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogConfiguratorTest {
  @TempDir Path directory;
  private final LoggerContext context = new LoggerContext();

  @AfterEach
  void stop() {
    context.stop();
    System.clearProperty(Logging.LEVEL);
    System.clearProperty(Logging.FILE);
  }

  private Path configure(String level) {
    Path file = directory.resolve("porteiro.log");
    System.setProperty(Logging.LEVEL, level);
    System.setProperty(Logging.FILE, file.toString());
    context.setMDCAdapter(new LogbackMDCAdapter());
    new LogConfigurator().configure(context);
    return file;
  }

  @Test
  void configure_withAFile_writesLinesOfTheLevelThere() throws IOException {
    Path file = configure("INFO");
    context.getLogger("io.porteiro.server.Server").info("begins");
    context.getLogger("io.porteiro.server.Server").debug("explains");
    assertThat(Files.readString(file))
        .matches("\\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d\\.\\d{3} INFO  Server begins\n");
  }

  @Test
  void configure_aFault_isWrittenWithItsCauseBelowTheLine() throws IOException {
    Path file = configure("INFO");
    Exception fault = new IllegalStateException("broken", new IOException("disk"));
    context.getLogger("io.porteiro.server.Server").error("fails", fault);
    assertThat(Files.readString(file).lines())
        .anyMatch(line -> line.endsWith(" ERROR Server fails"))
        .anyMatch(line -> line.equals("java.lang.IllegalStateException: broken"))
        .anyMatch(line -> line.equals("Caused by: java.io.IOException: disk"));
  }

  @Test
  void configure_atDebug_keepsNettyQuiet() throws IOException {
    Path file = configure("DEBUG");
    context.getLogger("io.netty.util.Native").debug("looks here and there");
    context.getLogger("io.netty.handler.ssl.SslHandler").warn("a peer has vanished");
    context.getLogger("io.porteiro.server.net.Connection").debug("ours");
    assertThat(Files.readString(file)).containsOnlyOnce("\n").contains("ours");
  }

  @Test
  void configurator_isFoundByLogback() {
    assertThat(ServiceLoader.load(Configurator.class))
        .hasAtLeastOneElementOfType(LogConfigurator.class);
  }
}
