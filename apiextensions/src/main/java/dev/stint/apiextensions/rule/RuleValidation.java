package dev.stint.apiextensions.rule;

import dev.cel.common.exceptions.CelAttributeNotFoundException;
import dev.cel.runtime.CelEvaluationException;
import dev.stint.apiextensions.rule.cost.CostMeter;
import dev.stint.apiextensions.rule.cost.MeteredProgram;
import dev.stint.apiextensions.value.Correlation;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.Formats;
import dev.stint.model.field.Trail;
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

  static final long MOST_OF_AN_OBJECT = 10_000_000;

  /** The maximum length of a message, in bytes. */
  private static final int LONGEST_MESSAGE = 5 * 1024;

  private final Trail trail = new Trail();
  private final RuleFaults faults = new RuleFaults(trail);
  private long budget;
  private boolean isOver;

  private RuleValidation(long budget) {
    this.budget = budget;
  }

  /** Returns the faults of a new object. */
  public static List<FieldError> create(JsonNode object, SchemaRules rules) {
    return faults(object, null, rules);
  }

  /** Returns the faults of a changed object. */
  public static List<FieldError> update(JsonNode before, JsonNode after, SchemaRules rules) {
    return faults(after, before, rules);
  }

  /**
   * The verdict on a default.
   *
   * @param faults none if it may be a new value and an unchanged one
   * @param budget how many steps are left for other defaults
   */
  record DefaultVerdict(List<FieldError> faults, long budget) {}

  /**
   * Checks a default.
   *
   * @param budget how many steps it may take; {@link #MOST_OF_AN_OBJECT} for all of a schema
   */
  static DefaultVerdict ofDefault(JsonNode value, SchemaRules rules, long budget) {
    RuleValidation validation = new RuleValidation(budget);
    validation.check(value, null, false, rules);
    if (validation.faults.list().isEmpty()) {
      validation.check(value, value, false, rules);
    }
    return new DefaultVerdict(List.copyOf(validation.faults.list()), validation.budget);
  }

  private static List<FieldError> faults(
      JsonNode object, @Nullable JsonNode before, SchemaRules rules) {
    RuleValidation validation = new RuleValidation(MOST_OF_AN_OBJECT);
    validation.check(object, before, false, rules);
    return List.copyOf(validation.faults.list());
  }

  /**
   * Checks a value.
   *
   * @param before the earlier value; null if there is none, or if it is not known which one it is
   * @param isSame whether the list in which it is has not changed
   */
  private void check(JsonNode value, @Nullable JsonNode before, boolean isSame, SchemaRules rules) {
    if (value.isNull() || isOver) {
      return;
    }
    boolean unchanged = isSame || isCompared(value, rules) && value.equals(before);
    if (!unchanged) {
      rules.broken().forEach(rule -> faults.addBroken(rule, rules.schema()));
    }
    if (!rules.rules().isEmpty() && rules.type() != null) {
      evaluate(value, before, unchanged, rules, rules.type());
    }
    if (value instanceof ObjectNode object) {
      members(object, before, unchanged, rules);
    } else if (rules.items() != null && value.isArray()) {
      items(value, before, unchanged, rules, rules.items());
    }
  }

  /** True for a value with rules, and for a list: its items may have none to be compared with. */
  private static boolean isCompared(JsonNode value, SchemaRules rules) {
    return rules.hasOwn() || value.isArray();
  }

  private void members(
      ObjectNode object, @Nullable JsonNode before, boolean isSame, SchemaRules rules) {
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
        check(member.getValue(), before == null ? null : before.get(name), isSame, inner);
        trail.leave();
      }
    }
  }

  private void items(
      JsonNode list,
      @Nullable JsonNode before,
      boolean isSame,
      SchemaRules rules,
      SchemaRules inner) {
    Correlation correlation = Correlation.of(rules.schema(), before);
    for (int i = 0; i < list.size() && !isOver; i++) {
      trail.enterIndex(i);
      check(list.get(i), correlation.of(list.get(i)), isSame, inner);
      trail.leave();
    }
  }

  private void evaluate(
      JsonNode value,
      @Nullable JsonNode before,
      boolean unchanged,
      SchemaRules rules,
      RuleType type) {
    Object self = CelValues.of(value, type);
    Object old = before == null || before.isNull() ? null : CelValues.of(before, type);
    for (CompiledRule rule : rules.rules()) {
      boolean applies = rule.isTransition() ? old != null || rule.takesOptional() : !unchanged;
      if (applies && !isOver) {
        rule(rule, variables(self, old, rule), rules, value);
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

  private void rule(
      CompiledRule rule, Map<String, Object> variables, SchemaRules node, JsonNode value) {
    CostMeter meter = new CostMeter(Math.min(MOST_OF_A_RULE, budget));
    Object verdict = null;
    String failure = null;
    try {
      verdict = meter.evaluate(rule.program(), variables);
    } catch (CelEvaluationException e) {
      failure = words(e);
    }
    boolean hasBudget = spend(meter);
    if (meter.isExceeded()) {
      isOver = true;
      if (hasBudget) {
        faults.addTooExpensive(rule, node.schema());
      } else {
        faults.addWithoutBudget(node.schema());
      }
    } else if (failure != null) {
      faults.addFailed(rule, failure, node.schema());
    } else if (!Boolean.TRUE.equals(verdict)) {
      String message = message(rule, variables, node);
      if (!isOver) {
        faults.add(rule, message, node.schema(), value);
      }
    }
  }

  /** Takes from the budget what an evaluation cost; false if that was too much for it. */
  private boolean spend(CostMeter meter) {
    boolean isEnough = meter.spent() <= budget;
    budget -= Math.min(meter.spent(), budget);
    return isEnough;
  }

  /** Returns the text of a fault. An expression that makes none is as good as absent. */
  private String message(CompiledRule rule, Map<String, Object> variables, SchemaRules node) {
    MeteredProgram made = rule.message();
    if (made == null) {
      return rule.text();
    }
    CostMeter meter = new CostMeter(Math.min(MOST_OF_A_RULE, budget));
    String text = "";
    try {
      text = meter.evaluate(made, variables) instanceof String found ? found.strip() : "";
    } catch (CelEvaluationException e) {
      text = "";
    }
    boolean hasBudget = spend(meter);
    if (meter.isExceeded()) {
      faults.addMessageTooExpensive(rule, hasBudget, node.schema());
      isOver = true;
    }
    boolean isSound =
        !text.isEmpty() && text.indexOf('\n') < 0 && Formats.bytes(text) <= LONGEST_MESSAGE;
    return isSound ? text : rule.text();
  }

  /** Returns why an evaluation failed, without the place in the rule. */
  private static String words(CelEvaluationException failure) {
    String text = String.valueOf(failure.getMessage());
    String words = text.replaceFirst("^evaluation error at [^ ]*: ", "");
    if (failure.getCause() instanceof CelAttributeNotFoundException) {
      String key = words.replaceFirst("^key '(.*)' is not present in map\\.$", "$1");
      return key.contains(" ") ? words : "no such key: " + key;
    }
    if (words.startsWith("Function '")) {
      return cause(failure);
    }
    return switch (words) {
      case "/ by zero" -> "division by zero";
      case "long overflow" -> "integer overflow";
      default -> words.replaceFirst("^Index out of bounds", "index out of bounds");
    };
  }

  /** Returns the message of the first cause. */
  private static String cause(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage());
  }
}
