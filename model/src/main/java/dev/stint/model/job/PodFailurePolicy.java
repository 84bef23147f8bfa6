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
  /** The action of a matching rule; the names are those of the API. */
  public enum Action {
    FailJob,
    FailIndex,
    Ignore,
    Count
  }

  /** One rule: an action, and exactly one requirement. */
  public record Rule(
      Action action, @Nullable OnExitCodes onExitCodes, List<OnPodCondition> onPodConditions) {
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

  /** Converts {@code spec.podFailurePolicy} of a valid Job; null if the Job has none. */
  static @Nullable PodFailurePolicy read(@Nullable ObjectNode tree) {
    if (tree == null) {
      return null;
    }
    List<Rule> rules = new ArrayList<>();
    for (JsonNode rule : elements(tree, "rules")) {
      rules.add(
          new Rule(
              Action.valueOf(text(rule, "action", "Count")),
              onExitCodes(Json.objectAt(rule, "onExitCodes")),
              onPodConditions(rule)));
    }
    return new PodFailurePolicy(rules);
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
