package io.porteiro.server.net.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** A file that a directive names. Whatever is wrong with it is told with both. */
record PemFile(String directive, String name) {
  private static final long MAX_BYTES = 16 << 20;

  List<PemBlock> blocks() throws TlsException {
    try {
      return PemBlock.all(text(Path.of(name)));
    } catch (IllegalArgumentException e) {
      throw wrong("is no PEM file: " + e.getMessage());
    } catch (IOException e) {
      throw wrong(reason(e));
    }
  }

  private static String text(Path file) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException("is too large");
    }
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }

  private static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "No such file or directory";
      case AccessDeniedException _ -> "Permission denied";
      default -> String.valueOf(e.getMessage());
    };
  }

  TlsException wrong(String reason) {
    return new TlsException(directive, name, reason);
  }
}
