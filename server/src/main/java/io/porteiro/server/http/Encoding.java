package io.porteiro.server.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** Compresses large answers for those who can read them so, as Prometheus and browsers can. */
final class Encoding {
  /** A shorter answer fits in one packet anyway. */
  private static final int MIN_BYTES = 1400;

  private Encoding() {}

  static Answer applied(Answer answer, HttpHeaders request) {
    if (answer.body().length < MIN_BYTES || !acceptsGzip(request)) {
      return answer;
    }
    return new Answer(
            answer.status(), answer.contentType(), compressed(answer.body()), answer.headers())
        .with("content-encoding", "gzip")
        .with("vary", "accept-encoding");
  }

  private static boolean acceptsGzip(HttpHeaders request) {
    return request.getAll(HttpHeaderNames.ACCEPT_ENCODING).stream()
        .flatMap(header -> Stream.of(header.split(",", -1)))
        .map(encoding -> encoding.strip().toLowerCase(Locale.ROOT))
        .anyMatch(
            encoding -> encoding.startsWith("gzip") && !encoding.matches(".*;\\s*q=0(\\.0*)?"));
  }

  private static byte[] compressed(byte[] body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length / 4);
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // into memory
    }
    return bytes.toByteArray();
  }
}
