package dev.stint.apiextensions.rule;

import static dev.stint.apiextensions.SchemaFixtures.messages;
import static dev.stint.apiextensions.SchemaFixtures.schema;
import static dev.stint.apiextensions.SchemaFixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.runtime.CelEvaluationException;
import dev.stint.apiextensions.rule.cost.CostMeter;
import dev.stint.model.field.FieldErrors;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rules for tests: a schema with one rule at its root, or as many as it has. */
final class RuleFixtures {
  private static final CostLimits UNLIMITED = new CostLimits(Long.MAX_VALUE, Long.MAX_VALUE, false);

  private RuleFixtures() {}

  /** Returns the faults of a schema's rules. */
  static List<String> compileFaults(String schema) {
    return compileFaults(schema, CostLimits.STANDARD);
  }

  private static List<String> compileFaults(String schema, CostLimits limits) {
    FieldErrors faults = new FieldErrors();
    RuleCompiler.compile(schema(schema), "schema", limits, faults);
    return messages(faults.list());
  }

  static SchemaRules rules(String schema) {
    return rules(schema, UNLIMITED);
  }

  /** Returns the rules of a stored schema, which need not compile. */
  static SchemaRules storedRules(String schema) {
    return rules(schema, CostLimits.NONE);
  }

  private static SchemaRules rules(String schema, CostLimits limits) {
    FieldErrors faults = new FieldErrors();
    SchemaRules rules = RuleCompiler.compile(schema(schema), "schema", limits, faults);
    if (rules == null || !faults.isEmpty()) {
      throw new AssertionError(messages(faults.list()).toString());
    }
    return rules;
  }

  static List<String> create(String schema, String object) {
    return messages(RuleValidation.create(tree(object), rules(schema)));
  }

  static List<String> update(String schema, String before, String after) {
    return messages(RuleValidation.update(tree(before), tree(after), rules(schema)));
  }

  /** Returns why an expression does not hold, or does not compile; null if it holds. */
  static @Nullable String fault(String properties, String object, String expression) {
    String schema =
        "type: object\nproperties: "
            + properties
            + "\nx-kubernetes-validations:\n- rule: >-\n    "
            + expression.replace("\n", "\n    ");
    List<String> faults = compileFaults(schema, UNLIMITED);
    List<String> all = faults.isEmpty() ? create(schema, object) : faults;
    return all.isEmpty() ? null : all.getFirst();
  }

  /** Returns why an expression without an object does not hold; null if it holds. */
  static @Nullable String fault(String expression) {
    return fault("{}", "{}", expression);
  }

  /** Returns what an expression costs for an object, as Kubernetes counts it. */
  static long cost(String properties, String object, String expression) {
    SchemaRules rules =
        rules(
            "type: object\nproperties: "
                + properties
                + "\nx-kubernetes-validations:\n- rule: >-\n    "
                + expression);
    RuleType type = Objects.requireNonNull(rules.type());
    CostMeter meter = new CostMeter(Long.MAX_VALUE);
    try {
      Map<String, Object> self = Map.of("self", CelValues.of(tree(object), type));
      assertThat(meter.evaluate(rules.rules().getFirst().program(), self)).isEqualTo(true);
    } catch (CelEvaluationException e) {
      throw new AssertionError(expression, e);
    }
    return meter.cost();
  }
}
