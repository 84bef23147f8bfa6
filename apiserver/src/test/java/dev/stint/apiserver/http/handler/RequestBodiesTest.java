package dev.stint.apiserver.http.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.catalogue.TestCatalogue;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.QueryParameters;
import dev.stint.apiserver.http.handler.RequestBodies.FieldValidation;
import dev.stint.apiserver.http.handler.RequestBodies.FieldValidation.Mode;
import dev.stint.apiserver.write.Warnings;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages for invalid bodies, and the accepted media types. */
class RequestBodiesTest {
  private static final String UNKNOWN_AND_TWICE =
      "{\"nope\":1,\"data\":{},\"metadata\":{\"name\":\"a\",\"name\":\"b\"}}";

  @Test
  void whatIsUnknownOrRepeatedIsToldInTheWordsOfKubernetes() throws IOException {
    Warnings warnings = new Warnings();
    read("POST", "application/json", UNKNOWN_AND_TWICE, Mode.WARN, warnings);
    assertThat(warnings.texts())
        .containsExactlyInAnyOrder("unknown field \"nope\"", "duplicate field \"metadata.name\"");
  }

  @Test
  void yamlTellsTheLineOfARepeatedKey() throws IOException {
    Warnings warnings = new Warnings();
    read(
        "POST",
        "application/yaml",
        "data: {}\nkind: ConfigMap\nkind: ConfigMap",
        Mode.WARN,
        warnings);
    assertThat(warnings.texts()).containsExactly("line 3: key \"kind\" already set in map");
  }

  @Test
  void aStrictRequestIsRefused() {
    assertThatThrownBy(
            () -> read("POST", "application/json", "{\"nope\":1}", Mode.STRICT, new Warnings()))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("strict decoding error: unknown field \"nope\"");
  }

  @Test
  void whoDoesNotWantToHearOfItDoesNot() throws IOException {
    Warnings warnings = new Warnings();
    read("POST", "application/json", UNKNOWN_AND_TWICE, Mode.IGNORE, warnings);
    assertThat(warnings.texts()).isEqualTo(List.of());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "application/json", "APPLICATION/JSON", "application/json; charset=utf-8"})
  void jsonHasSeveralNames(String type) throws IOException {
    read("POST", type, "{}", Mode.STRICT, new Warnings());
  }

  @ParameterizedTest
  @CsvSource({
    "POST, text/json",
    "POST, ;",
    "POST, application/apply-patch+yaml",
    "PATCH, application/yaml"
  })
  void otherTypesAreNotTaken(String method, String type) {
    assertThatThrownBy(() -> read(method, type, "{}", Mode.STRICT, new Warnings()))
        .isInstanceOfSatisfying(
            ClusterException.class,
            refusal -> assertThat(refusal.reason()).isEqualTo(Reason.UNSUPPORTED_MEDIA_TYPE));
  }

  private static void read(String method, String type, String body, Mode mode, Warnings warnings)
      throws IOException {
    Call call =
        new Call(
            TestCatalogue.BUILT_IN,
            method,
            "/api/v1/namespaces/default/configmaps",
            QueryParameters.of(null),
            name -> name.equals("Content-Type") ? type : null,
            () -> body.getBytes(StandardCharsets.UTF_8));
    RequestBodies.object(call, Kind.CONFIG_MAP, new FieldValidation(mode, warnings));
  }
}
