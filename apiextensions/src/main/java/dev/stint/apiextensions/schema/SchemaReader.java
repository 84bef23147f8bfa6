package dev.stint.apiextensions.schema;

import dev.stint.apiextensions.schema.JsonSchema.Additional;
import dev.stint.model.field.FieldErrors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads schemas from the tree of a CustomResourceDefinition. Values of other types are faults. */
public final class SchemaReader {
  /** Deeper schemas are refused: every walk of a schema recurses. */
  static final int MAX_DEPTH = 250;

  private static final Set<String> UNSUPPORTED =
      Set.of(
          "$ref",
          "$schema",
          "id",
          "definitions",
          "dependencies",
          "patternProperties",
          "additionalItems");

  private final FieldErrors faults;
  private final Map<String, TextLimits> patterns = new HashMap<>();

  /**
   * @param faults collects values that cannot be decoded
   */
  public SchemaReader(FieldErrors faults) {
    this.faults = faults;
  }

  /**
   * Reads a schema.
   *
   * @param path its field
   */
  public JsonSchema read(JsonNode tree, String path) {
    return read(tree, path, 0);
  }

  private JsonSchema read(JsonNode tree, String path, int depth) {
    if (depth > MAX_DEPTH) {
      faults.undecodable(path, "schemas may be nested to a depth of " + MAX_DEPTH + " at most");
      return JsonSchema.ofType("");
    }
    if (!(tree instanceof ObjectNode object)) {
      faults.undecodable(path, "a schema must be an object");
      return JsonSchema.ofType("");
    }
    Keywords words = new Keywords(object, path, faults);
    return new JsonSchema(
        words.text("type"),
        words.isTrue("nullable"),
        words.has("description")
            || words.has("title")
            || words.has("example")
            || words.has("externalDocs"),
        members(words, depth),
        additional(words, depth),
        items(words, depth),
        object.get("default"),
        words.texts("required"),
        words.values("enum"),
        textLimits(words),
        numbers(words),
        sizes(words),
        juncts(words, depth),
        extensions(words),
        unsupported(object),
        rules(words));
  }

  private Map<String, JsonSchema> members(Keywords words, int depth) {
    ObjectNode tree = words.object("properties");
    if (tree == null || tree.isEmpty()) {
      return Map.of();
    }
    Map<String, JsonSchema> members = LinkedHashMap.newLinkedHashMap(tree.size());
    tree.properties()
        .forEach(member ->
            members.put(
                member.getKey(),
                read(
                    member.getValue(),
                    words.path() + ".properties[" + member.getKey() + "]",
                    depth + 1)));
    return Collections.unmodifiableMap(members);
  }

  private Additional additional(Keywords words, int depth) {
    JsonNode tree = words.get("additionalProperties");
    if (tree == null) {
      return Additional.UNSPECIFIED;
    }
    if (tree.isBoolean()) {
      return tree.booleanValue() ? Additional.ANY : Additional.FORBIDDEN;
    }
    return new Additional.Values(read(tree, words.path() + ".additionalProperties", depth + 1));
  }

  private @Nullable JsonSchema items(Keywords words, int depth) {
    JsonNode tree = words.get("items");
    return tree == null || tree.isArray() ? null : read(tree, words.path() + ".items", depth + 1);
  }

  private Juncts juncts(Keywords words, int depth) {
    JsonNode not = words.get("not");
    Juncts juncts =
        new Juncts(
            alternatives(words, "allOf", depth),
            alternatives(words, "anyOf", depth),
            alternatives(words, "oneOf", depth),
            not == null ? null : read(not, words.path() + ".not", depth + 1));
    return juncts.isEmpty() ? Juncts.NONE : juncts;
  }

  private List<JsonSchema> alternatives(Keywords words, String name, int depth) {
    List<JsonNode> trees = words.values(name);
    List<JsonSchema> schemas = new ArrayList<>(trees.size());
    for (int i = 0; i < trees.size(); i++) {
      schemas.add(read(trees.get(i), words.path() + "." + name + "[" + i + "]", depth + 1));
    }
    return List.copyOf(schemas);
  }

  private TextLimits textLimits(Keywords words) {
    Long least = words.count("minLength");
    Long most = words.count("maxLength");
    String pattern = words.text("pattern");
    String format = words.text("format");
    if (least == null && most == null && pattern.isEmpty() && format.isEmpty()) {
      return TextLimits.NONE;
    }
    TextLimits known = patterns.computeIfAbsent(pattern, Re2::limits);
    return new TextLimits(least, most, pattern, known.compiled(), known.patternFault(), format);
  }

  /**
   * Returns the shared value if the made one is equal: most schemas have none of these keywords.
   */
  private static <T> T orShared(T made, T none) {
    return made.equals(none) ? none : made;
  }

  private static NumberLimits numbers(Keywords words) {
    return orShared(
        new NumberLimits(
            words.number("minimum"),
            words.number("maximum"),
            words.isTrue("exclusiveMinimum"),
            words.isTrue("exclusiveMaximum"),
            words.number("multipleOf")),
        NumberLimits.NONE);
  }

  private static SizeLimits sizes(Keywords words) {
    return orShared(
        new SizeLimits(
            words.count("minItems"),
            words.count("maxItems"),
            words.isTrue("uniqueItems"),
            words.count("minProperties"),
            words.count("maxProperties")),
        SizeLimits.NONE);
  }

  private static KubernetesExtensions extensions(Keywords words) {
    return orShared(
        new KubernetesExtensions(
            words.flag("x-kubernetes-preserve-unknown-fields"),
            words.isTrue("x-kubernetes-embedded-resource"),
            words.isTrue("x-kubernetes-int-or-string"),
            words.text("x-kubernetes-list-type"),
            words.texts("x-kubernetes-list-map-keys"),
            words.text("x-kubernetes-map-type")),
        KubernetesExtensions.NONE);
  }

  private static Set<String> unsupported(ObjectNode tree) {
    Set<String> found = null;
    for (String word : UNSUPPORTED) {
      // Some clients write empty maps, which say nothing.
      if (tree.has(word) && !(tree.get(word) instanceof ObjectNode map && map.isEmpty())) {
        found = found == null ? new TreeSet<>() : found;
        found.add(word);
      }
    }
    if (tree.get("items") != null && tree.get("items").isArray()) {
      found = found == null ? new TreeSet<>() : found;
      found.add("items");
    }
    return found == null ? Set.of() : Collections.unmodifiableSet(found);
  }

  private List<ValidationRule> rules(Keywords words) {
    List<JsonNode> trees = words.values("x-kubernetes-validations");
    List<ValidationRule> rules = new ArrayList<>(trees.size());
    for (int i = 0; i < trees.size(); i++) {
      String path = words.path() + ".x-kubernetes-validations[" + i + "]";
      if (trees.get(i) instanceof ObjectNode rule) {
        rules.add(rule(new Keywords(rule, path, faults)));
      } else {
        faults.undecodable(path, "a rule must be an object");
      }
    }
    return List.copyOf(rules);
  }

  private static ValidationRule rule(Keywords words) {
    return new ValidationRule(
        words.text("rule"),
        words.textOrNull("message"),
        words.textOrNull("messageExpression"),
        words.textOrNull("reason"),
        words.textOrNull("fieldPath"),
        words.flag("optionalOldSelf"));
  }
}
