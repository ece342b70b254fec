package io.porteiro.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class HandshakeLogTest {
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(HandshakeLog.class);
  private long nowMs = 1_000_000;
  private final HandshakeLog log = new HandshakeLog(() -> Instant.ofEpochMilli(nowMs));

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(lines);
  }

  @Test
  void failuresInOneSecond_areOneLine_andTheNextTellsTheirNumber() {
    for (int i = 0; i < 5; i++) {
      log.failed("no TLS", "1.2.3.4:5", "5.6.7.8:9");
    }
    nowMs += 1000;
    log.failed("no TLS", "1.2.3.4:5", "5.6.7.8:9");
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "Error accepting a client connection: no TLS (addr=1.2.3.4:5 laddr=5.6.7.8:9)",
            "Error accepting a client connection: no TLS (addr=1.2.3.4:5 laddr=5.6.7.8:9), and 4"
                + " more since the last such line");
  }

  @Test
  void reasonOfSeveralLinesOrGreatLength_isOneShortLine() {
    log.failed("a\nb" + "x".repeat(1000), "c", "s");
    assertThat(lines.list.getFirst().getFormattedMessage())
        .contains("a bxx")
        .doesNotContain("\n")
        .hasSizeLessThan(300);
  }
}
