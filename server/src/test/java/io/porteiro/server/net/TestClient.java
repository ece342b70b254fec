package io.porteiro.server.net;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** A socket that speaks text; a char is a byte. Waits at most ten seconds. */
final class TestClient implements AutoCloseable {
  private static final int TIMEOUT_MS = 10_000;

  final Socket socket;

  TestClient(String host, int port) throws IOException {
    socket = new Socket(host, port);
    socket.setSoTimeout(TIMEOUT_MS);
  }

  void send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  String read(int bytes) throws IOException {
    return new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.ISO_8859_1);
  }

  /** Sends and reads as many bytes as the expected answer has. */
  String ask(String request, String expected) throws IOException {
    send(request);
    return read(expected.length());
  }

  /** Everything up to the end of the stream. */
  String readToEnd() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  /** Whether nothing comes for a while. */
  boolean isSilent() throws IOException {
    socket.setSoTimeout(150);
    try {
      return socket.getInputStream().read() < -1;
    } catch (SocketTimeoutException e) {
      return true;
    } finally {
      socket.setSoTimeout(TIMEOUT_MS);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
