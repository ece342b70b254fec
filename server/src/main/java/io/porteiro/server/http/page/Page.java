package io.porteiro.server.http.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The files of the page, read once. */
public final class Page {
  /** One of them, and what it is. */
  public record File(String contentType, byte[] bytes) {}

  private final File html = read("page.html", "text/html; charset=utf-8");
  private final File css = read("page.css", "text/css; charset=utf-8");
  private final File js = read("page.js", "text/javascript; charset=utf-8");
  private final File icon = read("icon.svg", "image/svg+xml");

  private static File read(String name, String contentType) {
    try (InputStream in = Page.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing from the jar");
      }
      return new File(contentType, in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public File html() {
    return html;
  }

  public File css() {
    return css;
  }

  public File js() {
    return js;
  }

  public File icon() {
    return icon;
  }
}
