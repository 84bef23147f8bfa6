package dev.stint.apiserver.access;

import dev.stint.apiserver.access.pki.Pki;
import dev.stint.model.Json;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One rule of a role: these verbs on these resources (of these names, or of any if none is named),
 * or on these paths. "*" stands for all.
 */
record PolicyRule(
    Set<String> verbs,
    Set<String> groups,
    Set<String> resources,
    Set<String> names,
    Set<String> paths) {
  static final String ALL = "*";

  /** The rules of members of {@link Pki#MASTERS}. */
  static final List<PolicyRule> EVERYTHING =
      List.of(
          new PolicyRule(Set.of(ALL), Set.of(ALL), Set.of(ALL), Set.of(), Set.of()),
          new PolicyRule(Set.of(ALL), Set.of(), Set.of(), Set.of(), Set.of(ALL)));

  /** Returns the rules of a role's document. */
  static List<PolicyRule> listOf(ObjectNode role) {
    JsonNode rules = Json.arrayAt(role, "rules");
    return rules == null ? List.of() : rules.valueStream().map(PolicyRule::of).toList();
  }

  private static PolicyRule of(JsonNode rule) {
    return new PolicyRule(
        set(rule, "verbs"),
        set(rule, "apiGroups"),
        set(rule, "resources"),
        set(rule, "resourceNames"),
        set(rule, "nonResourceURLs"));
  }

  /** A set of {@link Set#copyOf} would search through all words with equal hashes. */
  private static Set<String> set(JsonNode rule, String member) {
    return Collections.unmodifiableSet(new HashSet<>(RbacDocuments.texts(rule, member)));
  }

  /** True if the rule allows a request, whatever namespace it was granted for. */
  boolean allows(RequestAttributes request) {
    return matchesVerb(request.verb())
        && (request.nonResourcePath() == null
            ? allowsResource(request)
            : coversPath(request.nonResourcePath()));
  }

  private boolean allowsResource(RequestAttributes request) {
    return matchesGroup(request.group())
        && coversResource(request.fullResource())
        && (names.isEmpty() || names.contains(request.name()));
  }

  /** True if the rule is for a verb, or for all if that is "*". */
  boolean matchesVerb(String verb) {
    return matchesAny(verbs, verb);
  }

  /** True if the rule is for an API group, or for all if that is "*". */
  boolean matchesGroup(String group) {
    return matchesAny(groups, group);
  }

  /** True if the rule covers a resource such as "jobs", "pods/log" or "*&#47;scale". */
  boolean coversResource(String resource) {
    int slash = resource.indexOf('/');
    return matchesAny(resources, resource)
        || slash >= 0 && resources.contains(ALL + resource.substring(slash));
  }

  /** True if the rule covers a path, or all paths with a prefix if that ends with "*". */
  boolean coversPath(String path) {
    Predicate<String> covers =
        known ->
            known.equals(path)
                || known.endsWith(ALL) && path.startsWith(known.substring(0, known.length() - 1));
    return paths.stream().anyMatch(covers);
  }

  private static boolean matchesAny(Set<String> known, String one) {
    return known.contains(ALL) || known.contains(one);
  }

  /** Returns the rule as a document; empty members are left out. */
  ObjectNode tree() {
    ObjectNode tree = Json.object();
    put(tree, "apiGroups", groups);
    put(tree, "nonResourceURLs", paths);
    put(tree, "resourceNames", names);
    put(tree, "resources", resources);
    put(tree, "verbs", verbs);
    return tree;
  }

  boolean forPaths() {
    return !paths.isEmpty();
  }

  private static void put(ObjectNode tree, String member, Set<String> values) {
    if (!values.isEmpty()) {
      values.stream().sorted().forEach(tree.withArrayProperty(member)::add);
    }
  }

  /** Returns a text such as {@code {APIGroups:["batch"], Resources:["jobs"], Verbs:["delete"]}}. */
  @Override
  public String toString() {
    return Stream.of(
            words("APIGroups", groups),
            words("Resources", resources),
            words("ResourceNames", names),
            words("NonResourceURLs", paths),
            words("Verbs", verbs))
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String words(String what, Set<String> values) {
    return values.isEmpty()
        ? ""
        : values.stream()
            .sorted()
            .map(value -> "\"" + value + "\"")
            .collect(Collectors.joining(" ", what + ":[", "]"));
  }
}
