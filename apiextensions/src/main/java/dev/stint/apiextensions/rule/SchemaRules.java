package dev.stint.apiextensions.rule;

import dev.stint.apiextensions.schema.JsonSchema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The compiled rules of a node of a schema and of the nodes below it. Nodes without any are left
 * out. Immutable.
 *
 * @param type what the rules of this node see; null if it has none
 * @param broken those that cannot be evaluated
 * @param properties the members with rules
 * @param additional the rules of other members; null for none
 * @param items the rules of a list's items; null for none
 */
public record SchemaRules(
    JsonSchema schema,
    @Nullable RuleType type,
    List<CompiledRule> rules,
    List<BrokenRule> broken,
    Map<String, SchemaRules> properties,
    @Nullable SchemaRules additional,
    @Nullable SchemaRules items) {

  boolean isEmpty() {
    return !hasOwn() && properties.isEmpty() && additional == null && items == null;
  }

  /** True if this node has rules itself. */
  boolean hasOwn() {
    return !rules.isEmpty() || !broken.isEmpty();
  }

  /** Returns the rules of a member; null if there are none. */
  @Nullable SchemaRules member(String name) {
    return schema.properties().containsKey(name) ? properties.get(name) : additional;
  }
}
