package dev.stint.apiserver.access;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldPath;
import dev.stint.model.meta.LabelSelectorRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A snapshot of all roles and bindings, indexed by user. */
final class RbacSnapshot {
  /**
   * The rules that a binding gives to a subject.
   *
   * @param source names the binding, the role and the subject, for explanations
   */
  record Grant(List<PolicyRule> rules, String source) {}

  /** A subject (user or group), and a namespace ("" for everywhere). */
  private record Key(boolean group, String subject, String namespace) {}

  private record RoleKey(Kind kind, String namespace, String name) {}

  private final Map<RoleKey, KubeObject> roles = new LinkedHashMap<>();
  private final Map<RoleKey, List<PolicyRule>> rules = new HashMap<>();
  private final Map<Key, List<Grant>> grants = new HashMap<>();

  RbacSnapshot(RbacSource source) {
    for (Kind kind : List.of(Kind.ROLE, Kind.CLUSTER_ROLE)) {
      source
          .list(kind)
          .forEach(role -> roles.put(new RoleKey(kind, role.namespace(), role.name()), role));
    }
    roles.forEach((key, role) -> rules.put(key, rulesOf(role)));
    source.list(Kind.CLUSTER_ROLE_BINDING).forEach(binding -> add(binding, ""));
    source.list(Kind.ROLE_BINDING).forEach(binding -> add(binding, binding.namespace()));
  }

  /**
   * Returns the grants of a user, cluster-wide and in a namespace.
   *
   * @param namespace "" for cluster-wide grants only
   */
  Stream<Grant> of(User user, String namespace) {
    Stream<Grant> everywhere = in(user, "");
    return namespace.isEmpty() ? everywhere : Stream.concat(everywhere, in(user, namespace));
  }

  private Stream<Grant> in(User user, String namespace) {
    return Stream.concat(
            Stream.of(new Key(false, user.name(), namespace)),
            user.groups().stream().map(group -> new Key(true, group, namespace)))
        .flatMap(key -> grants.getOrDefault(key, List.of()).stream());
  }

  /**
   * Returns the rules of the role that a binding refers to, or null if the role does not exist.
   *
   * @param namespace the binding's
   */
  @Nullable List<PolicyRule> rulesOf(@Nullable JsonNode roleRef, String namespace) {
    boolean local = RbacDocuments.text(roleRef, "kind").equals(Kind.ROLE.kind());
    return rules.get(
        new RoleKey(
            local ? Kind.ROLE : Kind.CLUSTER_ROLE,
            local ? namespace : "",
            RbacDocuments.text(roleRef, "name")));
  }

  /**
   * Returns a role's own rules; for an aggregated role, the rules of all roles that it selects,
   * through any number of other aggregated roles.
   */
  private List<PolicyRule> rulesOf(KubeObject role) {
    List<PolicyRule> found = new ArrayList<>();
    List<KubeObject> reached = new ArrayList<>(List.of(role));
    for (int i = 0; i < reached.size(); i++) {
      KubeObject next = reached.get(i);
      if (Json.objectAt(next.tree(), "aggregationRule") == null) {
        found.addAll(PolicyRule.listOf(next.tree()));
      } else {
        selectedBy(next).stream().filter(other -> !reached.contains(other)).forEach(reached::add);
      }
    }
    return found.stream().distinct().toList();
  }

  private List<KubeObject> selectedBy(KubeObject role) {
    List<FieldPath> selectors =
        FieldPath.root(role.tree()).get("aggregationRule", "clusterRoleSelectors").items();
    return roles.entrySet().stream()
        .filter(entry -> entry.getKey().kind.equals(Kind.CLUSTER_ROLE))
        .map(Map.Entry::getValue)
        .filter(other ->
            selectors.stream().anyMatch(s -> LabelSelectorRules.matches(s, other.labels())))
        .toList();
  }

  private void add(KubeObject binding, String namespace) {
    JsonNode roleRef = binding.tree().get("roleRef");
    List<PolicyRule> granted = rulesOf(roleRef, namespace);
    JsonNode subjects = Json.arrayAt(binding.tree(), "subjects");
    if (granted == null || subjects == null) {
      return;
    }
    for (JsonNode subject : subjects) {
      Key key = key(subject, namespace);
      String source =
          "%s \"%s\" of %s \"%s\" to %s \"%s\""
              .formatted(
                  binding.kindName(),
                  namespace.isEmpty() ? binding.name() : binding.name() + "/" + namespace,
                  RbacDocuments.text(roleRef, "kind"),
                  RbacDocuments.text(roleRef, "name"),
                  RbacDocuments.text(subject, "kind"),
                  name(subject));
      grants.computeIfAbsent(key, _ -> new ArrayList<>()).add(new Grant(granted, source));
    }
  }

  private static String name(JsonNode subject) {
    String namespace = RbacDocuments.text(subject, "namespace");
    String name = RbacDocuments.text(subject, "name");
    return namespace.isEmpty() ? name : name + "/" + namespace;
  }

  /**
   * Returns the key of a subject. A service account is of the binding's namespace unless another is
   * named.
   */
  private static Key key(JsonNode subject, String where) {
    String name = RbacDocuments.text(subject, "name");
    String namespace = RbacDocuments.text(subject, "namespace");
    return switch (RbacDocuments.text(subject, "kind")) {
      case "Group" -> new Key(true, name, where);
      case "ServiceAccount" ->
          new Key(
              false,
              ServiceAccountTokens.userName(namespace.isEmpty() ? where : namespace, name),
              where);
      default -> new Key(false, name, where);
    };
  }
}
