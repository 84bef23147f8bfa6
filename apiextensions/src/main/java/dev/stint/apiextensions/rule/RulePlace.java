package dev.stint.apiextensions.rule;

import dev.stint.apiextensions.rule.cost.SaturatingMath;
import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.schema.JsonSchema.Additional;
import org.jspecify.annotations.Nullable;

/**
 * The place of a node in a schema.
 *
 * @param path its field
 * @param uncorrelatable the list above it within which no earlier value can be found; null for none
 * @param count how often an object may have a value of this node; null if no limit says so
 */
record RulePlace(String path, @Nullable String uncorrelatable, @Nullable Long count) {
  static RulePlace root(String path) {
    return new RulePlace(path, null, 1L);
  }

  RulePlace rule(int index) {
    return new RulePlace(path + ".x-kubernetes-validations[" + index + "]", uncorrelatable, count);
  }

  RulePlace member(JsonSchema parent, String name) {
    return child(parent, "properties[" + name + "]", uncorrelatable);
  }

  RulePlace value(JsonSchema parent) {
    return child(parent, "additionalProperties", uncorrelatable);
  }

  RulePlace item(JsonSchema parent) {
    boolean hasKeys = parent.extensions().listType().equals("map");
    return child(parent, "items", hasKeys || uncorrelatable != null ? uncorrelatable : path);
  }

  private RulePlace child(JsonSchema parent, String step, @Nullable String within) {
    Long factor = factor(parent);
    Long found =
        count == null || factor == null ? null : (Long) SaturatingMath.times(count, factor);
    return new RulePlace(path + "." + step, within, found);
  }

  /** Returns how many values below it a value of a node has at most; null if there is no limit. */
  private static @Nullable Long factor(JsonSchema schema) {
    boolean isMap = schema.isObject() && !(schema.additional() instanceof Additional.Unspecified);
    if (isMap || schema.isArray()) {
      Long limit = isMap ? schema.sizes().maxProperties() : schema.sizes().maxItems();
      return limit == null ? null : (Long) Math.max(limit, 0);
    }
    return 1L;
  }

  /** Returns how often an object may have a value of this node, which has a type. */
  long copies(RuleType type) {
    return count == null ? RuleSizes.copies(type) : count;
  }
}
