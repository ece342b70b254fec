package io.porteiro.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EncodingTest {
  private static final Answer LONG = Answer.text(200, "figures ".repeat(1000));

  private static HttpHeaders accepting(String encodings) {
    return new DefaultHttpHeaders().add("accept-encoding", encodings);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate, gzip;q=1.0, *;q=0.5", "br,GZIP"})
  void longAnswer_toWhoReadsGzip_isCompressed(String encodings) throws IOException {
    Answer answer = Encoding.applied(LONG, accepting(encodings));
    assertThat(answer.headers()).containsEntry("content-encoding", "gzip");
    assertThat(answer.body().length).isLessThan(LONG.body().length / 10);
    assertThat(new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes())
        .isEqualTo(LONG.body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "br", "identity", "gzip;q=0", "gzip; q=0.0"})
  void longAnswer_toWhoDoesNot_isPlain(String encodings) {
    assertThat(Encoding.applied(LONG, accepting(encodings))).isSameAs(LONG);
  }

  @Test
  void shortAnswer_isPlain() {
    Answer answer = Answer.text(200, "ok");
    assertThat(Encoding.applied(answer, accepting("gzip"))).isSameAs(answer);
  }
}
