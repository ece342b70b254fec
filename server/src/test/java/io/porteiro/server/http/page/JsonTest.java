package io.porteiro.server.http.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void object_ofAllKinds_isWritten() {
    assertThat(
            Json.object(json ->
                json.put("text", "a")
                    .put("yes", true)
                    .put("whole", -3L)
                    .put("part", 0.25)
                    .put("inner", inner -> inner.put("x", 1L))
                    .put("none", inner -> {})
                    .numbers("numbers", List.of(1L, 2L))
                    .objects("objects", List.of("a", "b"), (one, name) -> one.put("n", name))))
        .isEqualTo(
            "{\"text\":\"a\",\"yes\":true,\"whole\":-3,\"part\":0.25,\"inner\":{\"x\":1},"
                + "\"none\":{},\"numbers\":[1,2],\"objects\":[{\"n\":\"a\"},{\"n\":\"b\"}]}");
  }

  @Test
  void text_withMarkupAndControls_isEscaped() {
    assertThat(Json.object(json -> json.put("k", "\"\\\n</script>&\u2028é")))
        .isEqualTo("{\"k\":\"\\\"\\\\\\u000a\\u003c/script\\u003e\\u0026\\u2028é\"}");
  }

  @Test
  void number_thatJsonDoesNotHave_isZero() {
    assertThat(Json.object(json -> json.put("k", Double.NaN))).isEqualTo("{\"k\":0.0}");
  }
}
