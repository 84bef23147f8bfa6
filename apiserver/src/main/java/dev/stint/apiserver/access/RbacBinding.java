package dev.stint.apiserver.access;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * A binding without the document that it was read from: who has which role, and where. It holds the
 * names of its subjects and no more about them, since there may be tens of thousands.
 *
 * @param namespace "" for everywhere
 * @param users the names of users, sorted
 * @param accounts the user names of service accounts, sorted
 * @param groups the names of groups, sorted
 * @param source names the binding and the role in explanations
 */
record RbacBinding(
    String namespace,
    RbacRole.Key role,
    List<String> users,
    List<String> accounts,
    List<String> groups,
    String source) {
  private static final String USER = "User";
  private static final String GROUP = "Group";
  private static final String ACCOUNT = "ServiceAccount";

  static RbacBinding of(KubeObject object) {
    JsonNode roleRef = object.tree().get("roleRef");
    String namespace = object.namespace();
    List<String> users = new ArrayList<>();
    List<String> accounts = new ArrayList<>();
    List<String> groups = new ArrayList<>();
    ArrayNode subjects = Json.arrayAt(object.tree(), "subjects");
    for (JsonNode subject : subjects == null ? List.<JsonNode>of() : subjects) {
      String name = RbacDocuments.text(subject, "name");
      switch (RbacDocuments.text(subject, "kind")) {
        case GROUP -> groups.add(name);
        case ACCOUNT -> accounts.add(userName(subject, name, namespace));
        default -> users.add(name);
      }
    }
    return new RbacBinding(
        namespace,
        RbacRole.Key.of(roleRef, namespace),
        sorted(users),
        sorted(accounts),
        sorted(groups),
        source(object, roleRef));
  }

  private static String source(KubeObject object, @Nullable JsonNode roleRef) {
    return "%s \"%s\" of %s \"%s\" to "
        .formatted(
            object.kindName(),
            nameIn(object.namespace(), object.name()),
            RbacDocuments.text(roleRef, "kind"),
            RbacDocuments.text(roleRef, "name"));
  }

  /** A service account is of the binding's namespace unless another is named. */
  private static String userName(JsonNode account, String name, String namespace) {
    String given = RbacDocuments.text(account, "namespace");
    return ServiceAccountTokens.userName(given.isEmpty() ? namespace : given, name);
  }

  private static List<String> sorted(List<String> names) {
    return names.stream().sorted().distinct().toList();
  }

  private static boolean has(List<String> sorted, String name) {
    return Collections.binarySearch(sorted, name) >= 0;
  }

  private static String nameIn(String namespace, String name) {
    return namespace.isEmpty() ? name : name + "/" + namespace;
  }

  /** Returns the names of all subjects. */
  Stream<String> names() {
    return Stream.of(users, accounts, groups).flatMap(List::stream);
  }

  /**
   * Explains why a user has the role: names the binding, the role and the subject. Null if the user
   * does not have it.
   */
  @Nullable String sourceFor(User user) {
    String name = user.name();
    if (has(users, name)) {
      return sourceFor(USER, name);
    }
    if (has(accounts, name)) {
      int end = name.lastIndexOf(':');
      String of = name.substring(ServiceAccountTokens.USER_NAME_PREFIX.length(), end);
      return sourceFor(ACCOUNT, nameIn(of, name.substring(end + 1)));
    }
    return user.groups().stream()
        .filter(group -> has(groups, group))
        .findFirst()
        .map(group -> sourceFor(GROUP, group))
        .orElse(null);
  }

  private String sourceFor(String kind, String name) {
    return source + kind + " \"" + name + '"';
  }
}
