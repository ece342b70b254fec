package io.porteiro.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.status.NopStatusListener;

/**
 * Sets up Logback when the first line is logged, by the system properties that {@link Logging} has
 * set. In place of a logback.xml, whose reading took a quarter of the start.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class LogConfigurator extends ContextAwareBase implements Configurator {
  @Override
  public ExecutionStatus configure(LoggerContext context) {
    context.getStatusManager().add(new NopStatusListener());
    // Netty explains at DEBUG how it looks for native libraries, with stack traces.
    context.getLogger("io.netty").setLevel(Level.WARN);
    // Warns of every peer that vanishes before the end of its encrypted stream is sent: strangers
    // could fill the log.
    context.getLogger("io.netty.handler.ssl.SslHandler").setLevel(Level.ERROR);
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.valueOf(System.getProperty(Logging.LEVEL, "INFO")));
    root.addAppender(appender(context));
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  private static OutputStreamAppender<ILoggingEvent> appender(LoggerContext context) {
    OutputStreamAppender<ILoggingEvent> appender = target(System.getProperty(Logging.FILE, ""));
    appender.setContext(context);
    LogLines lines = new LogLines();
    lines.setContext(context);
    lines.start();
    appender.setEncoder(lines);
    appender.start();
    return appender;
  }

  /**
   * @param file empty: standard output
   */
  private static OutputStreamAppender<ILoggingEvent> target(String file) {
    if (file.isEmpty()) {
      return new ConsoleAppender<>();
    }
    FileAppender<ILoggingEvent> appender = new FileAppender<>();
    appender.setFile(file);
    return appender;
  }
}
