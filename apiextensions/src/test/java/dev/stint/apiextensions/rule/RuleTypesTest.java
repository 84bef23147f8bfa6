package dev.stint.apiextensions.rule;

import static dev.stint.apiextensions.rule.RuleFixtures.compileFaults;
import static dev.stint.apiextensions.rule.RuleFixtures.fault;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The view of objects that rules have. */
class RuleTypesTest {
  private static final String PROPERTIES =
      """
      {namespace: {type: string}, int: {type: integer}, a-b: {type: string}, a.b/c: {type: string},
       a__b: {type: string}, ratio: {type: number}, ready: {type: boolean},
       port: {x-kubernetes-int-or-string: true},
       labels: {type: object, additionalProperties: {type: string}},
       list: {type: array, items: {type: integer}},
       set: {type: array, x-kubernetes-list-type: set, items: {type: string}},
       conditions: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [type],
         items: {type: object, properties: {type: {type: string}, count: {type: integer}}}},
       started: {type: string, format: date-time}, day: {type: string, format: date},
       timeout: {type: string, format: duration}, data: {type: string, format: byte},
       free: {x-kubernetes-preserve-unknown-fields: true},
       loose: {type: object, x-kubernetes-preserve-unknown-fields: true,
         properties: {known: {type: integer}}},
       nothing: {type: string, nullable: true},
       template: {type: object, x-kubernetes-embedded-resource: true}}
      """
          .replace("\n", " ")
          .strip();
  private static final String OBJECT =
      """
      {apiVersion: a/v1, kind: A, metadata: {name: one}, namespace: ns, int: 5, a-b: x, a.b/c: w,
       a__b: z, ratio: 2, ready: true, port: http, labels: {app: web}, list: [1, 2], set: [a, b],
       conditions: [{type: A, count: 1}, {type: B, count: 2}], started: '2026-01-02T03:04:05Z',
       day: '2026-01-02', timeout: 1h30m, data: aGV5, free: {x: 1}, loose: {known: 1, other: 2},
       nothing: null, template: {apiVersion: v1, kind: Pod, metadata: {name: pod}}}
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2 days | 48h",
        "5 milliseconds | 5ms",
        "3 nanos | 3ns",
        "0001 wk | 168h",
        "-1.5h | -90m",
      })
  void durationsMayBeWritten(String text, String same) {
    String timeout = "{timeout: {type: string, format: duration}}";
    String rule = "self.timeout == duration('" + same + "')";
    assertThat(fault(timeout, "{timeout: '" + text + "'}", rule)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "self.namespace == 'ns' && self.__namespace__ == 'ns'",
        "self.int == 5 && self.int < 5.5",
        "self.a__dash__b == 'x' && self.a__dot__b__slash__c == 'w' && self.a__underscores__b == 'z'",
        "self.ratio == 2.0 && type(self.ratio) == double && self.ready",
        "type(self.port) == string && self.port == 'http' || type(self.port) == int",
        "self.labels['app'] == 'web' && self.labels.all(k, k == 'app') && 'app' in self.labels",
        "self.list == [1, 2] && self.list != [2, 1] && 2 in self.list",
        "self.set == ['b', 'a'] && ['b', 'a'] == self.set && self.set != ['a', 'c']",
        "self.set + ['b', 'c'] == ['a', 'b', 'c'] && (self.set + ['b', 'c']).size() == 3",
        "self.conditions.exists(c, c.type == 'B' && c.count == 2)",
        "self.conditions.map(c, c.count) == [1, 2]",
        "(self.conditions + self.conditions).size() == 2",
        "self.started > timestamp('2026-01-01T00:00:00Z') && self.started.getMonth() == 0",
        "self.day.getDate() == 2 && self.timeout == duration('90m')",
        "self.data == b'hey' && string(self.data) == 'hey'",
        "self.loose.known == 1 && !has(self.metadata.generateName)",
        "self.kind == 'A' && self.metadata.name == 'one' && self.apiVersion == 'a/v1'",
        "self.template.kind == 'Pod' && self.template.metadata.name == 'pod'",
        "self == self && self.labels == self.labels",
        "self.?int.orValue(1) == 5 && self.labels[?'x'].orValue('none') == 'none'",
        "self.list.all(i, v, v == i + 1)",
        "sets.contains(self.list, [1])",
      })
  void rulesSeeTypedValues(String rule) {
    assertThat(fault(PROPERTIES, OBJECT, rule)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"self.free.x == 1", "self.loose.other == 2", "self.metadata.uid == ''"})
  void rulesDoNotSeeUnknownMembers(String rule) {
    assertThat(fault(PROPERTIES, OBJECT, rule)).contains("undefined field");
  }

  @Test
  void aRuleOfANodeWithoutATypeIsRefused() {
    assertThat(
            compileFaults(
                """
                type: object
                properties:
                  free:
                    x-kubernetes-preserve-unknown-fields: true
                    x-kubernetes-validations: [{rule: "true"}]
                """))
        .hasSize(1);
  }

  @Test
  void aFaultNamesTheMissingKey() {
    assertThat(fault(PROPERTIES, "{labels: {}}", "self.labels['x'] == 'y'"))
        .isEqualTo(
            "<nil>: Invalid value: \"object\": no such key: x evaluating rule:"
                + " self.labels['x'] == 'y'");
    assertThat(fault(PROPERTIES, "{}", "self.int == 1"))
        .contains("no such key: int evaluating rule");
  }
}
