package dev.stint.apiextensions.rule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The costs of rules while they run. The figures are those of a Kubernetes 1.36 server. */
class RuleMeterTest {
  private static final String PROPERTIES =
      "{text: {type: string}, other: {type: string}, list: {type: array, items: {type: integer}},"
          + " map: {type: object, additionalProperties: {type: integer}},"
          + " object: {type: object, properties: {a: {type: integer}, b: {type: integer}}}}";
  private static final String OBJECT =
      "{text: Rook takes it, other: Rook takes it, list: [1, 2, 3], map: {b: 1, d: 2}, object: {a:"
          + " 1}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "self.text == self.other                            | 6",
        "self.text.startsWith('Rook')                       | 4",
        "self.text.matches('^[^0-9]*$')                     | 8",
        "size(self.list) == 3                               | 4",
        "1 in self.list                                     | 5",
        "self.text in ['Rook takes it', 'x']                | 2",
        "self.list + [4, 5] == [1, 2, 3, 4, 5]              | 4",
        "has(self.object.a)                                 | 2",
        "!has(self.object.b)                                | 3",
        "self.map.all(k, self.map[k] > 0)                   | 17",
        "!self.map.exists(k, self.map[k] == 3)              | 20",
        "size(self.map.filter(k, self.map[k] > 1)) == 1     | 26",
        "self.map.all(k, v, v > 0)                          | 13",
        "double(5) < 10.0                                   | 1",
        "optional.of('a').optMap(v, v == 'value').hasValue() | 8",
        "optional.none().or(optional.of('a')).hasValue()    | 3",
        "self.object.?a.orValue(2) == 1                     | 4",
        "self.object.?b.orValue(2) == 2                     | 3",
        "[4, 3, 2, 1].sort() == [1, 2, 3, 4]                | 44",
        "[-3, 1, -5, -2, 4].sortBy(e, -(e * e)) == [-5, 4, -3, -2, 1] | 145",
        "sets.equivalent(self.list, [1, 2, 3])              | 21",
        "isQuantity('200M')                                 | 1",
      })
  void stepsAreCounted(String rule, long cost) {
    assertThat(RuleFixtures.cost(PROPERTIES, OBJECT, rule)).isEqualTo(cost);
  }
}
