package dev.stint.apiextensions.rule;

import dev.cel.common.exceptions.CelAttributeNotFoundException;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime.Program;
import dev.stint.apiextensions.rule.library.CostMeter;
import dev.stint.apiextensions.value.Correlation;
import dev.stint.apiextensions.value.Trail;
import dev.stint.model.field.FieldError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks an object by the rules of its schema.
 *
 * <p>An update is checked only where it changes something, but for rules that compare with the
 * earlier value. What the rules of one object may cost together is limited.
 */
public final class RuleValidation {
  /** The limits that Kubernetes has, in steps of an evaluation. */
  private static final long MOST_OF_A_RULE = 1_000_000;

  private static final long MOST_OF_AN_OBJECT = 10_000_000;

  private final Trail trail = new Trail();
  private final RuleFaults faults = new RuleFaults(trail);
  private long budget = MOST_OF_AN_OBJECT;
  private boolean isOver;

  private RuleValidation() {}

  /** Returns the faults of a new object. */
  public static List<FieldError> create(JsonNode object, SchemaRules rules) {
    return faults(object, null, rules);
  }

  /** Returns the faults of a changed object. */
  public static List<FieldError> update(JsonNode before, JsonNode after, SchemaRules rules) {
    return faults(after, before, rules);
  }

  private static List<FieldError> faults(
      JsonNode object, @Nullable JsonNode before, SchemaRules rules) {
    RuleValidation validation = new RuleValidation();
    validation.check(object, before, rules);
    return List.copyOf(validation.faults.list());
  }

  private void check(JsonNode value, @Nullable JsonNode before, SchemaRules rules) {
    if (value.isNull() || isOver) {
      return;
    }
    if (!rules.rules().isEmpty() && rules.type() != null) {
      evaluate(value, before, rules, rules.type());
    }
    if (value instanceof ObjectNode object) {
      members(object, before, rules);
    } else if (rules.items() != null && value.isArray()) {
      items(value, before, rules, rules.items());
    }
  }

  private void members(ObjectNode object, @Nullable JsonNode before, SchemaRules rules) {
    if (rules.properties().isEmpty() && rules.additional() == null) {
      return;
    }
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      String name = member.getKey();
      SchemaRules inner = rules.member(name);
      if (inner != null) {
        if (rules.properties().containsKey(name)) {
          trail.enter(name);
        } else {
          trail.enterKey(name);
        }
        check(member.getValue(), before == null ? null : before.get(name), inner);
        trail.leave();
      }
    }
  }

  private void items(
      JsonNode list, @Nullable JsonNode before, SchemaRules rules, SchemaRules inner) {
    Correlation correlation = Correlation.of(rules.schema(), before);
    for (int i = 0; i < list.size() && !isOver; i++) {
      trail.enterIndex(i);
      check(list.get(i), correlation.of(list.get(i)), inner);
      trail.leave();
    }
  }

  private void evaluate(
      JsonNode value, @Nullable JsonNode before, SchemaRules rules, RuleType type) {
    boolean unchanged = before != null && before.equals(value);
    Object self = RuleValues.of(value, type);
    Object old = before == null || before.isNull() ? null : RuleValues.of(before, type);
    for (CompiledRule rule : rules.rules()) {
      boolean applies = rule.isTransition() ? old != null || rule.takesOptional() : !unchanged;
      if (applies && !isOver) {
        rule(rule, variables(self, old, rule), rules);
      }
    }
  }

  private static Map<String, Object> variables(
      Object self, @Nullable Object old, CompiledRule rule) {
    Map<String, Object> variables = new HashMap<>();
    variables.put("self", self);
    if (rule.takesOptional()) {
      variables.put("oldSelf", Optional.ofNullable(old));
    } else if (old != null) {
      variables.put("oldSelf", old);
    }
    return variables;
  }

  private void rule(CompiledRule rule, Map<String, Object> variables, SchemaRules node) {
    CostMeter meter = new CostMeter(Math.min(MOST_OF_A_RULE, budget));
    try {
      Object verdict = meter.meter(() -> rule.program().trace(variables, meter));
      if (!Boolean.TRUE.equals(verdict) && !meter.isExceeded()) {
        faults.add(rule, message(rule, variables, meter), node.schema());
      }
    } catch (CelEvaluationException e) {
      if (!meter.isExceeded()) {
        faults.addFailed(rule, words(e), node.schema());
      }
    }
    spend(meter, rule, node);
  }

  private void spend(CostMeter meter, CompiledRule rule, SchemaRules node) {
    budget -= meter.cost();
    if (budget <= 0) {
      faults.addWithoutBudget(node.schema());
      isOver = true;
    } else if (meter.isExceeded()) {
      faults.addTooExpensive(rule, node.schema());
      isOver = true;
    }
  }

  /** Returns the text of a fault. An expression that makes none is as good as absent. */
  private static String message(CompiledRule rule, Map<String, Object> variables, CostMeter meter) {
    Program made = rule.message();
    if (made != null) {
      try {
        Object text = meter.meter(() -> made.trace(variables, meter));
        if (text instanceof String message && !message.isBlank() && !hasLineBreak(message)) {
          return message.strip();
        }
      } catch (CelEvaluationException e) {
        return rule.text();
      }
    }
    return rule.text();
  }

  private static boolean hasLineBreak(String text) {
    return text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0;
  }

  /** Returns why an evaluation failed, without the place in the rule. */
  private static String words(CelEvaluationException failure) {
    String text = String.valueOf(failure.getMessage());
    String words = text.replaceFirst("^evaluation error at [^ ]*: ", "");
    if (failure.getCause() instanceof CelAttributeNotFoundException) {
      String key = words.replaceFirst("^key '(.*)' is not present in map\\.$", "$1");
      return key.contains(" ") ? words : "no such key: " + key;
    }
    return words.startsWith("/ by zero") ? "division by zero" : words;
  }
}
