package dev.stint.apiserver.audit;

import dev.stint.model.Json;
import dev.stint.model.document.DocumentSyntaxException;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads a {@code Policy} of {@code audit.k8s.io/v1}. Every fault is reported with its path. */
public final class AuditPolicyFile {
  private static final String API_VERSION = "audit.k8s.io/v1";
  private static final String KIND = "Policy";
  private static final Set<String> POLICY_FIELDS =
      Set.of("apiVersion", "kind", "metadata", "rules", "omitStages", "omitManagedFields");
  private static final Set<String> RULE_FIELDS =
      Set.of(
          "level",
          "users",
          "userGroups",
          "verbs",
          "resources",
          "namespaces",
          "nonResourceURLs",
          "omitStages",
          "omitManagedFields");
  private static final Set<String> RESOURCE_FIELDS = Set.of("group", "resources", "resourceNames");
  private static final String GROUP = "[a-z0-9]([-a-z0-9.]*[a-z0-9])?";

  private final List<String> faults = new ArrayList<>();

  private AuditPolicyFile() {}

  /** A policy that cannot be used. */
  public static final class InvalidPolicyException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    InvalidPolicyException(List<String> faults) {
      super(String.join("; ", faults));
    }
  }

  /**
   * Reads a policy from a file, YAML or JSON.
   *
   * @throws InvalidPolicyException if it is no valid policy
   */
  public static AuditPolicy read(Path file) throws IOException {
    return parse(Files.readAllBytes(file));
  }

  static AuditPolicy parse(String text) {
    return parse(text.getBytes(StandardCharsets.UTF_8));
  }

  private static AuditPolicy parse(byte[] text) {
    AuditPolicyFile reader = new AuditPolicyFile();
    Documents.Decoded document;
    try {
      document = Documents.readWritten(text, API_VERSION, KIND);
    } catch (DocumentSyntaxException broken) {
      throw new InvalidPolicyException(List.of(String.valueOf(broken.getMessage())));
    }
    document.faults().stream()
        .filter(fault -> fault.type() == FieldError.Type.REPEATED)
        .forEach(fault -> reader.fault(fault.path(), "is given twice"));
    AuditPolicy policy = reader.policy(document.tree());
    if (!reader.faults.isEmpty()) {
      throw new InvalidPolicyException(reader.faults);
    }
    return policy;
  }

  private AuditPolicy policy(ObjectNode tree) {
    expect("apiVersion", Json.text(tree, "apiVersion"), API_VERSION);
    expect("kind", Json.text(tree, "kind"), KIND);
    known("", tree, POLICY_FIELDS);
    List<JsonNode> given = items("", tree, "rules");
    if (given.isEmpty()) {
      fault("rules", "at least one rule is required");
    }
    List<AuditRule> rules = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      rules.add(rule("rules[" + i + "]", given.get(i)));
    }
    Boolean omitManagedFields = flag("", tree, "omitManagedFields");
    return new AuditPolicy(rules, stages("", tree), omitManagedFields != null && omitManagedFields);
  }

  private AuditRule rule(String path, JsonNode tree) {
    known(path, tree, RULE_FIELDS);
    AuditRule rule =
        new AuditRule(
            level(path, tree),
            texts(path, tree, "users"),
            texts(path, tree, "userGroups"),
            texts(path, tree, "verbs"),
            resources(path, tree),
            texts(path, tree, "namespaces"),
            texts(path, tree, "nonResourceURLs"),
            stages(path, tree),
            flag(path, tree, "omitManagedFields"));
    checkPaths(path, rule);
    return rule;
  }

  private void checkPaths(String path, AuditRule rule) {
    if (!rule.nonResourceUrls().isEmpty()
        && !(rule.resources().isEmpty() && rule.namespaces().isEmpty())) {
      fault(
          join(path, "nonResourceURLs"),
          "rules cannot apply to both regular resources and non-resource URLs");
    }
    for (String url : rule.nonResourceUrls()) {
      int star = url.indexOf('*');
      if (!url.equals("*") && !url.startsWith("/")) {
        fault(join(path, "nonResourceURLs"), "must begin with a '/' character: " + url);
      } else if (star >= 0 && star < url.length() - 1) {
        fault(join(path, "nonResourceURLs"), "a '*' must be the final character: " + url);
      }
    }
  }

  private AuditLevel level(String path, JsonNode tree) {
    String word = Json.text(tree, "level");
    for (AuditLevel level : AuditLevel.values()) {
      if (level.word().equals(word)) {
        return level;
      }
    }
    String all =
        Arrays.stream(AuditLevel.values()).map(AuditLevel::word).collect(Collectors.joining(", "));
    fault(join(path, "level"), (word == null ? "is required" : "unknown: " + word) + "; " + all);
    return AuditLevel.NONE;
  }

  private Set<AuditStage> stages(String path, JsonNode tree) {
    Set<AuditStage> stages = EnumSet.noneOf(AuditStage.class);
    for (String word : texts(path, tree, "omitStages")) {
      Arrays.stream(AuditStage.values())
          .filter(stage -> stage.word().equals(word))
          .findFirst()
          .ifPresentOrElse(
              stages::add,
              () ->
                  fault(
                      join(path, "omitStages"),
                      "unknown: "
                          + word
                          + "; "
                          + Arrays.stream(AuditStage.values())
                              .map(AuditStage::word)
                              .collect(Collectors.joining(", "))));
    }
    return stages;
  }

  private List<AuditRule.Resources> resources(String path, JsonNode tree) {
    List<AuditRule.Resources> found = new ArrayList<>();
    List<JsonNode> given = items(path, tree, "resources");
    for (int i = 0; i < given.size(); i++) {
      String where = join(path, "resources[" + i + "]");
      known(where, given.get(i), RESOURCE_FIELDS);
      String group = Json.text(given.get(i), "group");
      AuditRule.Resources one =
          new AuditRule.Resources(
              group == null ? "" : group,
              texts(where, given.get(i), "resources"),
              texts(where, given.get(i), "resourceNames"));
      if (!one.group().isEmpty() && !one.group().matches(GROUP)) {
        fault(join(where, "group"), "is not the name of an API group: " + one.group());
      }
      if (!one.names().isEmpty() && one.resources().isEmpty()) {
        fault(join(where, "resourceNames"), "using resourceNames requires at least one resource");
      }
      found.add(one);
    }
    return found;
  }

  private void expect(String field, @Nullable String found, String wanted) {
    if (!wanted.equals(found)) {
      fault(field, "must be " + wanted + (found == null ? "" : ", found " + found));
    }
  }

  private void known(String path, JsonNode tree, Set<String> fields) {
    if (!tree.isObject()) {
      fault(path, "must be an object");
      return;
    }
    for (String name : tree.propertyNames()) {
      if (!fields.contains(name)) {
        fault(join(path, name), "unknown field");
      }
    }
  }

  private List<JsonNode> items(String path, JsonNode tree, String field) {
    JsonNode node = tree.get(field);
    if (node == null || node.isNull()) {
      return List.of();
    }
    if (node instanceof ArrayNode array) {
      return array.valueStream().toList();
    }
    fault(join(path, field), "must be a list");
    return List.of();
  }

  private List<String> texts(String path, JsonNode tree, String field) {
    List<String> texts = new ArrayList<>();
    for (JsonNode item : items(path, tree, field)) {
      if (item.isString()) {
        texts.add(item.stringValue());
      } else {
        fault(join(path, field), "must hold strings, found " + item);
      }
    }
    return List.copyOf(texts);
  }

  private @Nullable Boolean flag(String path, JsonNode tree, String field) {
    JsonNode node = tree.get(field);
    if (node == null || node.isNull()) {
      return null;
    }
    if (!node.isBoolean()) {
      fault(join(path, field), "must be true or false");
      return null;
    }
    return node.booleanValue();
  }

  private void fault(String path, String what) {
    faults.add((path.isEmpty() ? "policy" : path) + ": " + what);
  }

  private static String join(String path, String field) {
    return path.isEmpty() ? field : path + "." + field;
  }
}
