package io.porteiro.server.access;

import io.porteiro.server.access.Catalog.Command;
import java.util.List;

/** A few commands, with the categories that Redis has them in. */
final class TestCatalog {
  static final int GET = 0;
  static final int SET = 1;
  static final int SELECT = 2;
  static final int CONFIG = 3;
  static final int CONFIG_GET = 4;
  static final int CONFIG_SET = 5;

  private TestCatalog() {}

  static Catalog catalog() {
    return new Catalog(
        List.of(
            new Command(GET, "get", List.of("read", "string", "fast"), List.of()),
            new Command(SET, "set", List.of("write", "string", "slow"), List.of()),
            new Command(SELECT, "select", List.of("fast", "connection"), List.of()),
            new Command(
                CONFIG,
                "config",
                List.of("slow"),
                List.of(
                    new Command(CONFIG_GET, "config|get", List.of("admin", "slow"), List.of()),
                    new Command(
                        CONFIG_SET, "config|set", List.of("admin", "dangerous"), List.of())))));
  }

  static Users users() {
    return new Users(catalog(), () -> false);
  }
}
