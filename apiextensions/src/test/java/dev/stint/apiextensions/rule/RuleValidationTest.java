package dev.stint.apiextensions.rule;

import static dev.stint.apiextensions.SchemaFixtures.messages;
import static dev.stint.apiextensions.SchemaFixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cel.runtime.CelEvaluationException;
import dev.stint.apiextensions.rule.cost.CostMeter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class RuleValidationTest {
  private static String spec(String rule) {
    return """
    type: object
    properties:
      spec:
        type: object
        properties:
          min: {type: integer}
          max: {type: integer}
          labels: {type: object, additionalProperties: {type: string}}
        x-kubernetes-validations:
        - %s
    """
        .formatted(rule);
  }

  @Test
  void aRuleThatDoesNotHoldIsAFault() {
    String schema = spec("{rule: self.min <= self.max}");
    assertThat(RuleFixtures.create(schema, "{spec: {min: 1, max: 2}}")).isEmpty();
    assertThat(RuleFixtures.create(schema, "{spec: {min: 3, max: 2}}"))
        .containsExactly("spec: Invalid value: failed rule: self.min <= self.max");
    assertThat(RuleFixtures.create(schema, "{}")).isEmpty();
  }

  @Test
  void messageReasonAndFieldAreThoseOfTheRule() {
    String object = "{spec: {min: 3, max: 2}}";
    assertThat(
            RuleFixtures.create(
                spec("{rule: self.min <= self.max, message: ' too large ', fieldPath: .min}"),
                object))
        .containsExactly("spec.min: Invalid value: too large");
    assertThat(
            RuleFixtures.create(
                spec(
                    "{rule: 'false', message: nope, reason: FieldValueForbidden, fieldPath: \".labels['a/b']\"}"),
                object))
        .containsExactly("spec.labels[a/b]: Forbidden: nope");
    assertThat(
            RuleFixtures.create(
                spec("{rule: 'false', message: nope, reason: FieldValueRequired}"), object))
        .containsExactly("spec: Required value: nope");
    assertThat(
            RuleFixtures.create(
                spec("{rule: 'false', message: nope, reason: FieldValueDuplicate}"), object))
        .containsExactly("spec: Duplicate value: nope");
  }

  @Test
  void anExpressionMakesTheMessage() {
    String object = "{spec: {min: 3, max: 2}}";
    assertThat(
            RuleFixtures.create(
                spec(
                    "{rule: 'false', messageExpression: \"'min %d is over %s'.format([self.min, self.max])\"}"),
                object))
        .containsExactly("spec: Invalid value: min 3 is over 2");
    for (String none : new String[] {"' '", "'a\\\\nb'", "self.labels['x']"}) {
      assertThat(
              RuleFixtures.create(
                  spec(
                      "{rule: 'false', message: fixed, messageExpression: \"%s\"}".formatted(none)),
                  object))
          .as(none)
          .containsExactly("spec: Invalid value: fixed");
    }
  }

  @Test
  void aTransitionIsCheckedIfThereIsAnEarlierValue() {
    String schema = spec("{rule: self.min >= oldSelf.min, message: may not shrink}");
    assertThat(RuleFixtures.create(schema, "{spec: {min: 1}}")).isEmpty();
    assertThat(RuleFixtures.update(schema, "{}", "{spec: {min: 1}}")).isEmpty();
    assertThat(RuleFixtures.update(schema, "{spec: {min: 1}}", "{spec: {min: 2}}")).isEmpty();
    assertThat(RuleFixtures.update(schema, "{spec: {min: 3}}", "{spec: {min: 2}}"))
        .containsExactly("spec: Invalid value: may not shrink");
  }

  @Test
  void anOptionalEarlierValueIsEmptyForNewValues() {
    String schema =
        spec(
            "{rule: 'oldSelf.hasValue() || self.min == 1', optionalOldSelf: true, message: start at 1}");
    assertThat(RuleFixtures.create(schema, "{spec: {min: 1}}")).isEmpty();
    assertThat(RuleFixtures.create(schema, "{spec: {min: 2}}"))
        .containsExactly("spec: Invalid value: start at 1");
    assertThat(RuleFixtures.update(schema, "{spec: {min: 1}}", "{spec: {min: 2}}")).isEmpty();
  }

  @Test
  void whatDoesNotChangeMayStay() {
    String schema = spec("{rule: self.min == 1}");
    assertThat(RuleFixtures.update(schema, "{spec: {min: 2}}", "{spec: {min: 2}, status: {a: 1}}"))
        .isEmpty();
    assertThat(RuleFixtures.update(schema, "{spec: {min: 2}}", "{spec: {min: 3}}")).hasSize(1);
  }

  @Test
  void itemsOfAMapAreComparedByTheirKeys() {
    String schema =
        """
        type: object
        properties:
          list:
            type: array
            x-kubernetes-list-type: map
            x-kubernetes-list-map-keys: [name]
            items:
              type: object
              properties: {name: {type: string}, value: {type: integer}}
              x-kubernetes-validations: [{rule: self.value == oldSelf.value, message: fixed}]
          labels:
            type: object
            additionalProperties:
              type: string
              x-kubernetes-validations: [{rule: self.size() < 3}]
        """;
    String before = "{list: [{name: a, value: 1}, {name: b, value: 2}]}";
    assertThat(
            RuleFixtures.update(
                schema,
                before,
                "{list: [{name: c, value: 9}, {name: b, value: 2}, {name: a, value: 1}]}"))
        .isEmpty();
    assertThat(RuleFixtures.update(schema, before, "{list: [{name: b, value: 3}]}"))
        .containsExactly("list[0]: Invalid value: fixed");
    assertThat(RuleFixtures.create(schema, "{labels: {a: ok, b: long}}"))
        .containsExactly("labels[b]: Invalid value: \"long\": failed rule: self.size() < 3");
  }

  @Test
  void aRuleThatCostsTooMuchIsStopped() {
    String list = "[1,2,3,4,5,6,7,8,9,10]";
    String schema =
        spec(
            "{rule: \"%1$s.all(a, %1$s.all(b, %1$s.all(c, %1$s.all(d, %1$s.all(e, %1$s.all(f, f > 0))))))\"}"
                .formatted(list));
    assertThat(RuleFixtures.create(schema, "{spec: {min: 1}}").getFirst())
        .startsWith(
            "spec: Invalid value: \"object\": 'operation cancelled: actual cost limit exceeded': no"
                + " further validation rules will be run due to call cost exceeds limit for rule: [");
  }

  @Test
  void aTextThatGrowsWithEachStepIsStopped() {
    String doubled = "['aaaaaaaaaa']" + ".map(x, x + x)".repeat(40) + ".size() == 1";
    assertThat(
            RuleFixtures.create(spec("{rule: \"" + doubled + "\"}"), "{spec: {min: 1}}").getFirst())
        .contains("call cost exceeds limit");
    String replaced = "['aaaaaaaaaa']" + ".map(x, x.replace('', x))".repeat(20) + ".size() == 1";
    assertThat(
            RuleFixtures.create(spec("{rule: \"" + replaced + "\"}"), "{spec: {min: 1}}")
                .getFirst())
        .contains("call cost exceeds limit");
  }

  @Test
  void allRulesOfAnObjectShareABudget() {
    String inner = "[1,2,3,4,5,6,7,8,9,10]";
    String schema =
        """
        type: object
        properties:
          list:
            type: array
            items:
              type: integer
              x-kubernetes-validations:
              - {rule: "%1$s.all(a, %1$s.all(b, %1$s.all(c, %1$s.all(d, d > 0 && self > 0))))"}
        """
            .formatted(inner);
    String many = "{list: [" + "1, ".repeat(500) + "1]}";
    assertThat(RuleFixtures.create(schema, many))
        .singleElement()
        .asString()
        .endsWith(
            "validation failed due to running out of cost budget, no further validation rules will"
                + " be run");
  }

  @Test
  void itemsOfAListThatDoesNotChangeMayStay() {
    String schema =
        """
        type: object
        properties:
          list:
            type: array
            items: {type: integer, x-kubernetes-validations: [{rule: self % 2 == 1, message: odd}]}
        """;
    assertThat(RuleFixtures.update(schema, "{list: [2]}", "{list: [2], other: 1}")).isEmpty();
    assertThat(RuleFixtures.update(schema, "{list: [2]}", "{list: [2, 3]}"))
        .containsExactly("list[0]: Invalid value: 2: odd");
  }

  @Test
  void aHundredFaultsAreReported() {
    String schema =
        """
        type: object
        properties:
          list:
            type: array
            items: {type: integer, x-kubernetes-validations: [{rule: self > 0, message: low}]}
        """;
    assertThat(RuleFixtures.create(schema, "{list: [" + "0,".repeat(299) + "0]}")).hasSize(100);
  }

  @Test
  void aMessageMayNotCostTooMuchEither() {
    String message = "lists.range(1000).all(i, lists.range(1000).all(j, i + j >= 0)) ? 'a' : 'b'";
    assertThat(
            RuleFixtures.create(
                spec("{rule: 'false', messageExpression: \"" + message + "\"}"),
                "{spec: {min: 1}}"))
        .singleElement()
        .asString()
        .startsWith(
            "spec: Invalid value: \"object\": no further validation rules will be run due to call"
                + " cost exceeds limit for messageExpression: ");
  }

  @Test
  void aTooLongMessageIsAsGoodAsNone() {
    String text = "'aaaaaaaaaa'" + ".replace('a', 'aaaaaaaaaa')".repeat(3);
    assertThat(
            RuleFixtures.create(
                spec("{rule: 'false', message: short, messageExpression: \"" + text + "\"}"),
                "{spec: {min: 1}}"))
        .containsExactly("spec: Invalid value: short");
  }

  @Test
  void constantsAreWorkEachTimeTheyAreMade() throws CelEvaluationException {
    String constants = "[" + "0, ".repeat(8_000) + "0].size() > 0";
    CostMeter once = meter(constants);
    assertThat(once.cost()).isEqualTo(2);
    assertThat(once.spent()).isEqualTo(2_001);
    CostMeter often = meter("lists.range(100).all(i, " + constants + ")");
    assertThat(often.cost()).isLessThan(1_000);
    assertThat(often.spent()).isGreaterThan(200_000);
  }

  @Test
  void eachEvaluationIsWorthAStep() throws CelEvaluationException {
    CostMeter meter = meter("true");
    assertThat(meter.cost()).isZero();
    assertThat(meter.spent()).isEqualTo(1);
  }

  /** Returns the meter of an evaluation of a rule. */
  private static CostMeter meter(String rule) throws CelEvaluationException {
    CostMeter meter = new CostMeter(Long.MAX_VALUE);
    assertThat(evaluate(rule, meter)).isEqualTo(true);
    return meter;
  }

  private static Object evaluate(String rule, CostMeter meter) throws CelEvaluationException {
    String schema = "{type: object, x-kubernetes-validations: [{rule: \"" + rule + "\"}]}";
    return meter.evaluate(RuleFixtures.rules(schema).rules().getFirst().program(), Map.of());
  }

  @Test
  void aRangeIsPaidBeforeItIsMade() {
    for (String count : List.of("2000000", "100000000", "9223372036854775807")) {
      CostMeter meter = new CostMeter(1_000_000);
      assertThatThrownBy(() -> evaluate("lists.range(" + count + ").size() > 0", meter))
          .hasStackTraceContaining("actual cost limit exceeded");
      assertThat(meter.cost()).as("what is counted once the list is made").isZero();
    }
  }

  @Test
  void aStoredRuleThatDoesNotCompileFailsEachWriteOfItsPart() {
    String unknown = spec("{rule: self.nope == 1}");
    assertThat(createAsStored(unknown))
        .containsExactly(
            "spec: Invalid value: \"object\": rule compile error: compilation failed: ERROR:"
                + " <input>:1:5: undefined field 'nope': rule: self.nope == 1: correct the rule in"
                + " the CustomResourceDefinition");
    SchemaRules rules = RuleFixtures.storedRules(unknown);
    JsonNode before = tree("{spec: {min: 1}}");
    assertThat(RuleValidation.update(before, tree("{spec: {min: 1}, a: 1}"), rules)).isEmpty();
    assertThat(RuleValidation.update(before, tree("{spec: {min: 2}}"), rules)).hasSize(1);
    assertThat(createAsStored(spec("{rule: 'false', messageExpression: self.nope}")))
        .containsExactly("spec: Invalid value: failed rule: false");
    assertThat(createAsStored(spec("{rule: \"[1, 'a'].size() == 2\"}"))).isEmpty();
  }

  private static List<String> createAsStored(String schema) {
    return messages(
        RuleValidation.create(tree("{spec: {min: 1}}"), RuleFixtures.storedRules(schema)));
  }
}
