package dev.stint.model.job;

import dev.stint.model.Json;
import dev.stint.model.index.IndexSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * When a Job has succeeded before all its indexes have (KEP-3998, Job API).
 *
 * @param rules alternatives, evaluated in order
 */
public record SuccessPolicy(List<Rule> rules) {
  /**
   * One alternative; at least one part is not null.
   *
   * @param succeededIndexes all of these, or where a count is given, that many of these; null for
   *     any index
   * @param succeededCount how many; null for all of {@code succeededIndexes}
   */
  public record Rule(@Nullable IndexSet succeededIndexes, @Nullable Integer succeededCount) {}

  public SuccessPolicy {
    rules = List.copyOf(rules);
  }

  /** Reads {@code spec.successPolicy} of a valid Job; null where the Job has none. */
  static @Nullable SuccessPolicy read(@Nullable ObjectNode tree) {
    if (tree == null) {
      return null;
    }
    List<Rule> rules = new ArrayList<>();
    JsonNode list = Json.arrayAt(tree, "rules");
    if (list != null) {
      list.forEach(rule -> rules.add(rule(rule)));
    }
    return new SuccessPolicy(rules);
  }

  private static Rule rule(JsonNode rule) {
    String indexes = Json.text(rule, "succeededIndexes");
    return new Rule(
        indexes == null ? null : IndexSet.salvage(indexes), Json.integer(rule, "succeededCount"));
  }
}
