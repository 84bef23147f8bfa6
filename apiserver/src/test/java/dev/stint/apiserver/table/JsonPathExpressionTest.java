package dev.stint.apiserver.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class JsonPathExpressionTest {
  private static final String OBJECT =
      """
      {"spec": {"a": "one", "list": [1, 2, 3], "x.y/z": "dotted", "x": {"y/z": "member"},
         "ports": [{"number": 80, "name": "http"}, {"number": 443, "name": "https", "tls": true}]},
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
        ".spec.list[] | 1",
        ".spec.list[-1:] | 3",
        ".spec.list[0:2] | 1",
        ".spec.list[-2:-1] | 2",
        ".spec.list[1::2] | 2",
        ".spec.*[1].number | 443",
        ".spec['a'] | one",
        ".spec['x\\.y/z'] | dotted",
        ".spec['x.y/z'] | member",
        ".spec.x\\.y/z | dotted",
        ".status.conditions[?(@.type==\"Ready\")].status | True",
        ".status.conditions[?(@.type=='Ready')].status | True",
        ".status.conditions[?( @['type'] != 'Old' )].status | True",
        ".spec.list[?(@>1)] | 2",
        ".spec.ports[?(@.number==443)].name | https",
        ".spec.ports[?(@.number<=80.5)].name | http",
        ".spec.ports[?(@.tls)].name | https",
        ".spec.ports[?(@.tls==true)].name | https",
        ".spec.ports[?(@.name>='https')].number | 443",
      })
  void thePathsOfColumnsAreFollowed(String path, String value) {
    JsonPathExpression parsed = Objects.requireNonNull(JsonPathExpression.parse(path));
    JsonNode found = Objects.requireNonNull(parsed.first(Json.parse(OBJECT)));
    assertThat(found.asString()).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".none.a",
        ".spec.a.b",
        ".spec.a[0]",
        ".spec[?(@.type=='Ready')]",
        ".spec.list[7]",
        ".spec.list[-4:]",
        ".spec.list[0:4]",
        ".spec.list[2:1]",
        ".spec.list[0:0]",
        ".spec.ports[?(@.number=='80')]",
        ".spec.ports[?(@.number<80)]",
        ".spec.ports[?(@.none!='a')]"
      })
  void thereMayBeNoValue(String path) {
    assertThat(Objects.requireNonNull(JsonPathExpression.parse(path)).first(Json.parse(OBJECT)))
        .isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "..a",
        ".spec.list[0,2]",
        ".spec.list[::0]",
        ".spec.list[x]",
        ".spec['']",
        ".spec.ports[?(@.name==@.number)]",
        ".spec.ports[?(@.name=~'h')]",
        ".spec.ports[?(name=='http')]"
      })
  void otherStepsAreNotFollowed(String path) {
    assertThat(JsonPathExpression.parse(path)).isNull();
  }
}
