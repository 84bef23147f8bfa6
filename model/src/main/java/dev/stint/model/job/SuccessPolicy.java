package dev.stint.model.job;

import dev.stint.model.Json;
import dev.stint.model.index.IndexSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The policy by which a Job succeeds before all its indexes have (KEP-3998, Job API).
 *
 * @param rules alternatives, evaluated in order
 */
public record SuccessPolicy(List<Rule> rules) {
  /**
   * One alternative; at least one part is not null.
   *
   * @param succeededIndexes the required indexes: all of these, or with a count, that many of
   *     these; null for any index
   * @param succeededCount the required number; null for all of {@code succeededIndexes}
   */
  public record Rule(@Nullable IndexSet succeededIndexes, @Nullable Integer succeededCount) {
    /** True if the succeeded indexes satisfy this rule. */
    public boolean isMet(IndexSet succeeded) {
      IndexSet wanted = succeededIndexes;
      Integer count = succeededCount;
      if (wanted == null) {
        return count != null && succeeded.size() >= count;
      }
      return count == null
          ? !wanted.isEmpty() && succeeded.containsAll(wanted)
          : succeeded.intersectionSize(wanted) >= count;
    }
  }

  public SuccessPolicy {
    rules = List.copyOf(rules);
  }

  /** Converts {@code spec.successPolicy} of a valid Job; null if the Job has none. */
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
