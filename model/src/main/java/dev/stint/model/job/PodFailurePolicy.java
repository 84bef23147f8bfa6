package dev.stint.model.job;

import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The consequences of a pod's failure for its Job (KEP-3329; {@code FailIndex} is KEP-3850's).
 *
 * @param rules evaluated in order; the first that matches decides
 */
public record PodFailurePolicy(List<Rule> rules) {
  /** The reason of a Job that a rule fails, and the beginning of those that name the rule. */
  public static final String REASON = "PodFailurePolicy";

  private static final String NAMED = REASON + "_";

  /** The action of a matching rule; the names are those of the API. */
  public enum Action {
    FailJob,
    FailIndex,
    Ignore,
    Count
  }

  /**
   * One rule: an action, and exactly one requirement.
   *
   * @param name its name (KEP-4443), or its index if it has none
   */
  public record Rule(
      String name,
      Action action,
      @Nullable OnExitCodes onExitCodes,
      List<OnPodCondition> onPodConditions) {
    public Rule {
      onPodConditions = List.copyOf(onPodConditions);
    }
  }

  /**
   * Matches a container that ended with a code other than 0.
   *
   * @param containerName null for any container
   * @param in whether the code must be one of the values, or none of them
   */
  public record OnExitCodes(@Nullable String containerName, boolean in, Set<Integer> values) {
    public OnExitCodes {
      values = Set.copyOf(values);
    }
  }

  /** Matches a condition of the pod, such as {@code DisruptionTarget} being {@code True}. */
  public record OnPodCondition(String type, String status) {}

  public PodFailurePolicy {
    rules = List.copyOf(rules);
  }

  /** Returns the reason of a Job that the rule of a name fails (KEP-4443). */
  public static String reason(String rule) {
    return NAMED + rule;
  }

  /** Returns a reason without the name of a rule, so that it may be a label of a metric. */
  public static String withoutRule(String reason) {
    return reason.startsWith(NAMED) ? REASON : reason;
  }

  /** Returns words for the rule in a reason: {@code rule oom}, or {@code a rule} without a name. */
  public static String ruleOf(String reason) {
    return reason.startsWith(NAMED) ? "rule " + reason.substring(NAMED.length()) : "a rule";
  }

  /** Converts {@code spec.podFailurePolicy} of a valid Job; null if the Job has none. */
  static @Nullable PodFailurePolicy read(@Nullable ObjectNode tree) {
    if (tree == null) {
      return null;
    }
    List<Rule> rules = new ArrayList<>();
    for (JsonNode rule : elements(tree, "rules")) {
      rules.add(
          new Rule(
              name(rule, rules.size()),
              Action.valueOf(text(rule, "action", "Count")),
              onExitCodes(Json.objectAt(rule, "onExitCodes")),
              onPodConditions(rule)));
    }
    return new PodFailurePolicy(rules);
  }

  private static String name(JsonNode rule, int index) {
    String name = text(rule, PodFailurePolicyRules.NAME, "");
    return name.isEmpty() ? Integer.toString(index) : name;
  }

  private static @Nullable OnExitCodes onExitCodes(@Nullable ObjectNode tree) {
    if (tree == null) {
      return null;
    }
    Set<Integer> values = new TreeSet<>();
    elements(tree, "values").forEach(value -> values.add(value.intValue()));
    return new OnExitCodes(
        Json.text(tree, "containerName"), text(tree, "operator", "In").equals("In"), values);
  }

  private static List<OnPodCondition> onPodConditions(JsonNode rule) {
    List<OnPodCondition> conditions = new ArrayList<>();
    for (JsonNode condition : elements(rule, "onPodConditions")) {
      conditions.add(
          new OnPodCondition(text(condition, "type", ""), text(condition, "status", "True")));
    }
    return conditions;
  }

  private static Iterable<JsonNode> elements(JsonNode tree, String member) {
    JsonNode list = Json.arrayAt(tree, member);
    return list == null ? List.of() : list;
  }

  private static String text(JsonNode tree, String member, String otherwise) {
    String found = Json.text(tree, member);
    return found == null ? otherwise : found;
  }
}
