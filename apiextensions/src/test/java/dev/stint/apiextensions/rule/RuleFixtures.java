package dev.stint.apiextensions.rule;

import static dev.stint.apiextensions.SchemaFixtures.messages;
import static dev.stint.apiextensions.SchemaFixtures.schema;
import static dev.stint.apiextensions.SchemaFixtures.tree;

import dev.stint.model.field.FieldErrors;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules for tests: a schema with one rule at its root, or as many as it has. */
final class RuleFixtures {
  private RuleFixtures() {}

  /** Returns the faults of a schema's rules. */
  static List<String> compileFaults(String schema) {
    FieldErrors faults = new FieldErrors();
    RuleCompiler.compile(schema(schema), "schema", faults);
    return messages(faults.list());
  }

  static SchemaRules rules(String schema) {
    FieldErrors faults = new FieldErrors();
    SchemaRules rules = RuleCompiler.compile(schema(schema), "schema", faults);
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
    List<String> faults = compileFaults(schema);
    List<String> all = faults.isEmpty() ? create(schema, object) : faults;
    return all.isEmpty() ? null : all.getFirst();
  }

  /** Returns why an expression without an object does not hold; null if it holds. */
  static @Nullable String fault(String expression) {
    return fault("{}", "{}", expression);
  }
}
