package dev.stint.apiserver.access;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * A binding without the document that it was read from: who has which role, and where.
 *
 * @param namespace "" for everywhere
 * @param users the texts that name subjects in explanations, by the names of users
 * @param groups such texts by the names of groups
 * @param source names the binding and the role in explanations
 */
record RbacBinding(
    String namespace,
    RbacRole.Key role,
    Map<String, String> users,
    Map<String, String> groups,
    String source) {
  static RbacBinding of(KubeObject object) {
    JsonNode roleRef = object.tree().get("roleRef");
    String namespace = object.namespace();
    String source =
        "%s \"%s\" of %s \"%s\" to "
            .formatted(
                object.kindName(),
                nameIn(namespace, object.name()),
                RbacDocuments.text(roleRef, "kind"),
                RbacDocuments.text(roleRef, "name"));
    RbacBinding binding =
        new RbacBinding(
            namespace,
            RbacRole.Key.of(roleRef, namespace),
            new HashMap<>(),
            new HashMap<>(),
            source);
    ArrayNode subjects = Json.arrayAt(object.tree(), "subjects");
    if (subjects != null) {
      subjects.forEach(binding::add);
    }
    return binding;
  }

  /** A service account is of the binding's namespace unless another is named. */
  private void add(JsonNode subject) {
    String kind = RbacDocuments.text(subject, "kind");
    String name = RbacDocuments.text(subject, "name");
    String given = RbacDocuments.text(subject, "namespace");
    String text = kind + " \"" + nameIn(given, name) + '"';
    switch (kind) {
      case "Group" -> groups.put(name, text);
      case "ServiceAccount" ->
          users.put(ServiceAccountTokens.userName(given.isEmpty() ? namespace : given, name), text);
      default -> users.put(name, text);
    }
  }

  private static String nameIn(String namespace, String name) {
    return namespace.isEmpty() ? name : name + "/" + namespace;
  }

  /**
   * Explains why a user has the role: names the binding, the role and the subject. Null if the user
   * does not have it.
   */
  @Nullable String sourceFor(User user) {
    String subject = users.get(user.name());
    for (String group : user.groups()) {
      if (subject == null) {
        subject = groups.get(group);
      }
    }
    return subject == null ? null : source + subject;
  }
}
