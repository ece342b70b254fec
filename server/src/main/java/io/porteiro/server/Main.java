package io.porteiro.server;

/** Starts the server. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {}
}
