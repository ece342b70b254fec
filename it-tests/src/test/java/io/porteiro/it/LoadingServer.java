package io.porteiro.it;

import io.porteiro.it.process.RespProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server that is always loading: it answers every command as one that loads a lot of data does.
 * The real one is too quick to be caught at it.
 */
final class LoadingServer implements AutoCloseable {
  private static final byte[] LOADING =
      "-LOADING Redis is loading the dataset in memory\r\n".getBytes(StandardCharsets.US_ASCII);

  private final int port = RespProcess.freePort();
  private final AtomicInteger answered = new AtomicInteger();
  private final ServerSocket socket;

  LoadingServer() {
    try {
      socket = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return port;
  }

  int answered() {
    return answered.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = socket.accept();
        Thread.ofVirtual().start(() -> serve(client));
      }
    } catch (IOException e) {
      // closed
    }
  }

  /** Reads only as much of the protocol as tells where a command ends. */
  private void serve(Socket client) {
    try (client;
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1))) {
      for (String header = in.readLine(); header != null; header = in.readLine()) {
        for (int line = 0; line < 2 * Integer.parseInt(header.substring(1)); line++) {
          in.readLine();
        }
        client.getOutputStream().write(LOADING);
        answered.incrementAndGet();
      }
    } catch (IOException e) {
      // the client has gone
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
