package dev.stint.apiserver.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class JsonPathExpressionTest {
  private static final String OBJECT =
      """
      {"spec": {"a": "one", "list": [1, 2, 3], "x.y/z": "dotted"},
       "status": {"conditions": [
         {"type": "Old", "status": "False"}, {"type": "Ready", "status": "True"}]}}
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        ".spec.a | one",
        ".spec.list[1] | 2",
        ".spec.list[-1] | 3",
        ".spec.list[*] | 1",
        ".spec['x.y/z'] | dotted",
        ".spec.x\\.y/z | dotted",
        ".status.conditions[?(@.type==\"Ready\")].status | True",
        ".status.conditions[?(@.type=='Ready')].status | True",
      })
  void thePathsOfColumnsAreFollowed(String path, String value) {
    JsonPathExpression parsed = Objects.requireNonNull(JsonPathExpression.parse(path));
    JsonNode found = Objects.requireNonNull(parsed.first(Json.parse(OBJECT)));
    assertThat(found.asString()).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {".none.a", ".spec.list[7]", ".spec.a.b", ".spec[?(@.type=='Ready')]"})
  void thereMayBeNoValue(String path) {
    assertThat(Objects.requireNonNull(JsonPathExpression.parse(path)).first(Json.parse(OBJECT)))
        .isNull();
  }

  @Test
  void otherStepsAreNotFollowed() {
    assertThat(JsonPathExpression.parse(".spec.list[0:2]")).isNull();
    assertThat(JsonPathExpression.parse("")).isNull();
  }
}
