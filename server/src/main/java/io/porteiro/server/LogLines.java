package io.porteiro.server;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;

/**
 * The lines of the log: {@code 30 Nov 2026 20:37:33.579 WARN Server maxmemory is 0}. In place of
 * Logback's patterns: those have to be read at each start, and need the words of a language for
 * their dates.
 */
final class LogLines extends EncoderBase<ILoggingEvent> {
  private static final List<String> MONTHS =
      List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");

  private static final int LEVEL_LENGTH = 5;
  private static final byte[] NOTHING = {};

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    StringBuilder line = new StringBuilder();
    addTime(line, LocalDateTime.ofInstant(event.getInstant(), offset(event.getTimeStamp())));
    String level = event.getLevel().toString();
    String logger = event.getLoggerName();
    line.append(' ').append(level);
    line.repeat(' ', LEVEL_LENGTH + 1 - level.length());
    line.append(logger, logger.lastIndexOf('.') + 1, logger.length());
    line.append(' ').append(event.getFormattedMessage()).append(System.lineSeparator());
    addFault(line, event.getThrowableProxy());
    return line.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Of the old class for zones, because the new one reads the file of all zones once more. */
  private static ZoneOffset offset(long unixMs) {
    return ZoneOffset.ofTotalSeconds(TimeZone.getDefault().getOffset(unixMs) / 1000);
  }

  private static void addTime(StringBuilder line, LocalDateTime time) {
    addNumber(line, time.getDayOfMonth(), 2).append(' ');
    line.append(MONTHS.get(time.getMonthValue() - 1)).append(' ');
    addNumber(line, time.getYear(), 4).append(' ');
    addNumber(line, time.getHour(), 2).append(':');
    addNumber(line, time.getMinute(), 2).append(':');
    addNumber(line, time.getSecond(), 2).append('.');
    addNumber(line, time.getNano() / 1_000_000, 3);
  }

  private static StringBuilder addNumber(StringBuilder line, int number, int digits) {
    String text = Integer.toString(number);
    return line.repeat('0', Math.max(0, digits - text.length())).append(text);
  }

  private static void addFault(StringBuilder line, @Nullable IThrowableProxy fault) {
    if (fault != null) {
      line.append(ThrowableProxyUtil.asString(fault));
    }
  }
}
