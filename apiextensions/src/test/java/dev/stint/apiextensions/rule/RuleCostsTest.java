package dev.stint.apiextensions.rule;

import static dev.stint.apiextensions.rule.RuleFixtures.compileFaults;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Estimates of what rules cost. The figures are those that a Kubernetes 1.36 server comes to. */
class RuleCostsTest {
  private static final String HINT =
      " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays,"
          + " maps, and strings are declared)";

  /** A list without a limit, each item of which has a rule. */
  private static String items(String item, String limits, String rule) {
    return """
    type: object
    properties:
      list:
        type: array
        %s
        items: {%s, x-kubernetes-validations: [{rule: "%s"}]}
    """
        .formatted(limits, item, rule);
  }

  private static String list(String item, String limits, String rule) {
    return """
    type: object
    properties:
      list:
        type: array
        items: {%s}
        %s
        x-kubernetes-validations: [{rule: "%s"}]
    """
        .formatted(item, limits, rule);
  }

  /** Returns the factor by which a rule is too expensive; "" if it is not. */
  private static String factor(List<String> faults) {
    return faults.isEmpty()
        ? ""
        : faults
            .getFirst()
            .replaceFirst(".*estimated rule cost exceeds budget by factor of ", "")
            .replace(HINT, "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "type: number  |                 | 'self.all(x, x == 0.0)'                          | -",
        "type: number  | maxItems: 10    | 'self.all(x, self.all(y, self.all(z, true)))'    | -",
        "type: number  |                 | 'self.all(x, self.all(y, true))'                 | more than 100x",
        "type: string | | self.all(x, x == 'a' && x != 'b' && x != 'c' && x != 'd') | 1.153433x",
        "type: string  | maxItems: 100   | 'self.all(x, x.matches(x))'                      | more than 100x",
        "'type: string, maxLength: 64'   | maxItems: 100 | 'self.all(x, x.matches(x))'      | -",
        "'type: string, enum: [a, bcd]' | | self.all(x, x.contains(x)) | -",
      })
  void aRuleMayCostSoMuch(String item, String limits, String rule, String expected) {
    assertThat(factor(compileFaults(list(item, limits == null ? "" : limits, rule))))
        .isEqualTo(expected == null ? "" : expected);
  }

  @Test
  void aRuleOfAnItemCostsAsOftenAsThereMayBeItems() {
    assertThat(compileFaults(items("type: string, maxLength: 10", "", "self.contains('abc')")))
        .isEmpty();
    assertThat(factor(compileFaults(items("type: string", "", "self.contains('abc')"))))
        .isEqualTo("more than 100x");
    assertThat(compileFaults(items("type: string", "maxItems: 10", "self.contains('abc')")))
        .isEmpty();
  }

  @Test
  void aRefusalNamesTheRuleAndTheRemedy() {
    assertThat(compileFaults(list("type: number", "", "self.all(x, self.all(y, true))")))
        .containsExactly(
            "schema.properties[list].x-kubernetes-validations[0].rule: Forbidden: estimated rule"
                + " cost exceeds budget by factor of more than 100x"
                + HINT,
            "schema.properties[list].x-kubernetes-validations[0].rule: Forbidden: contributed to"
                + " estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema",
            "schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire"
                + " OpenAPIv3 schema exceeds budget by factor of more than 100x"
                + HINT);
  }

  @Test
  void aMessageIsEstimatedToo() {
    assertThat(
            compileFaults(
                """
                type: object
                properties: {list: {type: array, items: {type: number}}}
                x-kubernetes-validations:
                - rule: 'true'
                  messageExpression: "self.list.all(x, self.list.all(y, true)) ? 'a' : 'b'"
                """))
        .first()
        .asString()
        .startsWith(
            "schema.x-kubernetes-validations[0].messageExpression: Forbidden: estimated"
                + " messageExpression cost exceeds budget by factor of more than 100x");
  }

  @Test
  void rulesMayCostSoMuchTogether() {
    StringBuilder schema = new StringBuilder("type: object\nproperties:\n");
    for (int i = 0; i < 17; i++) {
      schema.append(
          """
            list%d:
              type: array
              items: {type: number}
              x-kubernetes-validations: [{rule: 'self.all(x, x == 0.0)'}]
          """
              .formatted(i));
    }
    List<String> faults = compileFaults(schema.toString());
    assertThat(faults).hasSize(5);
    assertThat(faults.subList(0, 4))
        .allMatch(fault -> fault.contains("contributed to estimated rule cost total"));
    assertThat(faults.getLast())
        .startsWith("schema: Forbidden: x-kubernetes-validations estimated rule cost total")
        .contains("by factor of 1.069547x");
  }

  @Test
  void aTextMayBeOfAnyLength() {
    assertThat(
            factor(
                compileFaults(
                    list(
                        "type: string, maxLength: 4611686018427387904",
                        "maxItems: 10",
                        "self.all(x, x.matches(x))"))))
        .isEqualTo("more than 100x");
  }
}
