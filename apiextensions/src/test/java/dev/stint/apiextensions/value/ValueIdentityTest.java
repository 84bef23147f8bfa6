package dev.stint.apiextensions.value;

import static dev.stint.apiextensions.SchemaFixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class ValueIdentityTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a | a | true",
        "a | b | false",
        "'\"1\"' | 1 | false",
        "1 | 11 | false",
        "'\"null\"' | null | false",
        "'[a, b]' | '[a, b]' | true",
        "'[a, b]' | '[b, a]' | false",
        "'[a, b]' | '[ab]' | false",
        "'[1, 2]' | '[12]' | false",
        "'[[a], b]' | '[[a, b]]' | false",
        "'{a: 1, b: x}' | '{b: x, a: 1}' | true",
        "'{a: b}' | '[a, b]' | false",
        "'{a: {b: c}}' | '{a: {}, b: c}' | false",
        "{} | [] | false",
      })
  void identitiesAreEqualIfTheValuesAre(String one, String other, boolean equal) {
    JsonNode a = tree("a: " + one).get("a");
    JsonNode b = tree("a: " + other).get("a");
    assertThat(a.equals(b)).isEqualTo(equal);
    assertThat(ValueIdentity.of(a).equals(ValueIdentity.of(b))).isEqualTo(equal);
  }

  @Test
  void itemsAreTheSameByTheirKeys() {
    List<String> keys = List.of("a", "b");
    String both = ValueIdentity.of(tree("{a: x, b: y, c: 1}"), keys);
    assertThat(ValueIdentity.of(tree("{a: x, b: y, c: 2}"), keys)).isEqualTo(both);
    assertThat(ValueIdentity.of(tree("{a: xy, b: ''}"), keys)).isNotEqualTo(both);
    String first = ValueIdentity.of(tree("{a: x}"), keys);
    assertThat(first)
        .isNotEqualTo(ValueIdentity.of(tree("{b: x}"), keys))
        .isNotEqualTo(ValueIdentity.of(tree("{a: x, b: null}"), keys));
  }
}
