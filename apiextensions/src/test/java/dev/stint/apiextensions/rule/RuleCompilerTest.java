package dev.stint.apiextensions.rule;

import static dev.stint.apiextensions.rule.RuleFixtures.compileFaults;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RuleCompilerTest {
  private static String spec(String rule) {
    return """
    type: object
    properties:
      spec:
        type: object
        properties:
          count: {type: integer}
          items: {type: array, items: {type: object, properties: {a: {type: string}}}}
        x-kubernetes-validations:
        - %s
    """
        .formatted(rule);
  }

  @Test
  void anUnknownFieldIsNamedWithItsPlace() {
    assertThat(compileFaults(spec("{rule: self.foo == 1}")))
        .containsExactly(
            """
            schema.properties[spec].x-kubernetes-validations[0].rule: Invalid value:\
             {"Rule":"self.foo == 1","Message":"","MessageExpression":"","Reason":null,\
            "FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:5: undefined field 'foo'
             | self.foo == 1
             | ....^\
            """);
  }

  @Test
  void aRuleIsTrueOrFalse() {
    assertThat(compileFaults(spec("{rule: self.count}")).getFirst())
        .endsWith("compilation failed: cel expression must evaluate to a bool");
    assertThat(compileFaults(spec("{rule: self.count ==}")).getFirst())
        .contains("compilation failed: ERROR: <input>:1:14: ");
    assertThat(compileFaults(spec("{rule: self.count == 'a'}")).getFirst())
        .contains("found no matching overload for '_==_' applied to '(int, string)'");
  }

  @Test
  void anExpressionForAMessageIsAText() {
    assertThat(compileFaults(spec("{rule: 'true', messageExpression: self.count}")))
        .hasSize(1)
        .first()
        .asString()
        .startsWith("schema.properties[spec].x-kubernetes-validations[0].messageExpression: ")
        .endsWith("messageExpression must evaluate to a string");
    assertThat(compileFaults(spec("{rule: 'true', messageExpression: self.nope}")).getFirst())
        .contains("messageExpression compilation failed: ERROR");
    assertThat(compileFaults(spec("{rule: 'true', messageExpression: string(self.count)}")))
        .isEmpty();
  }

  @Test
  void onlyARuleWithAnEarlierValueTakesAnOptionalOne() {
    assertThat(compileFaults(spec("{rule: 'true', optionalOldSelf: true}")))
        .containsExactly(
            "schema.properties[spec].x-kubernetes-validations[0].optionalOldSelf: Invalid value:"
                + " true: may not be set if oldSelf is not used in rule");
    assertThat(
            compileFaults(
                spec(
                    "{rule: '!oldSelf.hasValue() || oldSelf.value().count == 1', optionalOldSelf: true}")))
        .isEmpty();
  }

  @Test
  void itemsWithoutKeysHaveNoEarlierValue() {
    String list =
        """
        type: object
        properties:
          list:
            type: array
            x-kubernetes-list-type: %s
            x-kubernetes-list-map-keys: [a]
            items:
              type: object
              properties: {a: {type: string}}
              x-kubernetes-validations: [{rule: self == oldSelf}]
        """;
    assertThat(compileFaults(list.formatted("map"))).isEmpty();
    assertThat(compileFaults(list.formatted("atomic")).getFirst())
        .endsWith(
            "oldSelf cannot be used on the uncorrelatable portion of the schema within"
                + " schema.properties[list]");
  }

  @Test
  void aSchemaWithoutRulesHasNone() {
    assertThat(
            RuleCompiler.compile(
                dev.stint.apiextensions.SchemaFixtures.schema("{type: object}"),
                "",
                CostLimits.STANDARD,
                new dev.stint.model.field.FieldErrors()))
        .isNull();
  }

  @Test
  void whatIsWrittenInARuleIsSound() {
    for (String rule :
        List.of(
            "duration('1d') == duration('1h') | 1:10: invalid duration argument",
            "timestamp('2026-13-01T00:00:00Z') == timestamp(0) | 1:11: invalid timestamp argument",
            "'a'.matches('x++') | 1:13: invalid matches argument",
            "[1, 'a'].size() == 2 | 1:5: expected type 'int' but found 'string'",
            "{'a': 1, 'b': 'c'}.size() == 2 | 1:15: expected type 'int' but found 'string'")) {
      String[] parts = rule.split(" \\| ");
      assertThat(compileFaults(spec("{rule: \"" + parts[0] + "\"}")))
          .as(rule)
          .singleElement()
          .asString()
          .contains("compilation failed: ERROR: <input>:" + parts[1]);
    }
    assertThat(compileFaults(spec("{rule: \"'a'.find('x++') == ''\"}")).getFirst())
        .contains("program instantiation failed: ");
    assertThat(
            compileFaults(
                spec(
                    "{rule: \"'%d %s'.format([1, 'a']) == '1 a' && [?optional.of(1), 2].size() == 2"
                        + " && {?'a': optional.of('x'), 'b': 'y'}.size() == 2\"}")))
        .isEmpty();
  }

  @Test
  void aChainThatDoublesTheRuleWithEachLinkIsRefused() {
    for (String macro : List.of("optMap(x, x)", "optFlatMap(x, optional.of(x))")) {
      String chain = "optional.of(1)" + ("." + macro).repeat(40) + ".hasValue()";
      assertThat(compileFaults(spec("{rule: \"" + chain + "\"}")))
          .singleElement()
          .asString()
          .contains(macro.substring(0, macro.indexOf('(')) + "() makes the rule too large");
    }
    String short4 = "optional.of(1)" + ".optMap(x, x)".repeat(4) + ".hasValue()";
    assertThat(compileFaults(spec("{rule: \"" + short4 + "\"}"))).isEmpty();
  }

  @Test
  void aRuleHasSoManyNodes() {
    assertThat(compileFaults(spec("{rule: \"[" + "0, ".repeat(10_000) + "0].size() > 0\"}")))
        .singleElement()
        .asString()
        .endsWith("compilation failed: must have at most 10000 nodes");
    assertThat(compileFaults(spec("{rule: \"[" + "0, ".repeat(9_000) + "0].size() > 0\"}")))
        .isEmpty();
  }

  @Test
  void aLongRuleShowsFewOfItsIssues() {
    String fault =
        compileFaults(spec("{rule: \"[" + "x, ".repeat(4_000) + "x] == []\"}")).getFirst();
    assertThat(fault.split("undeclared reference")).hasSize(2);
  }
}
