package dev.stint.apiserver.access;

import dev.stint.apiserver.access.pki.Pki;
import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * The user who makes a request.
 *
 * @param name such as {@code jane} or {@code system:serviceaccount:default:builder}
 * @param uid distinguishes successive users of one name; "" if unknown
 * @param groups the user's groups, such as {@code system:authenticated}
 * @param extra further attributes, by keys such as {@code authentication.kubernetes.io/pod-name}
 */
public record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  /** The group of all authenticated users. */
  public static final String AUTHENTICATED = "system:authenticated";

  /** The group of all other users. */
  public static final String UNAUTHENTICATED = "system:unauthenticated";

  /** The user of requests without credentials. */
  public static final User ANONYMOUS =
      new User("system:anonymous", "", List.of(UNAUTHENTICATED), Map.of());

  public User {
    groups = List.copyOf(groups);
    Map<String, List<String>> copy = new LinkedHashMap<>();
    extra.forEach((key, values) -> copy.put(key, List.copyOf(values)));
    extra = Map.copyOf(copy);
  }

  /** Returns a user with groups and nothing else. */
  public static User of(String name, String... groups) {
    return new User(name, "", List.of(groups), Map.of());
  }

  /** True for a member of {@code system:masters}, who may do everything and never waits. */
  public boolean isMaster() {
    return groups.contains(Pki.MASTERS);
  }

  /** Returns the same user as a member of {@link #AUTHENTICATED}. */
  User authenticated() {
    if (groups.contains(AUTHENTICATED)) {
      return this;
    }
    List<String> all = new ArrayList<>(groups);
    all.add(AUTHENTICATED);
    return new User(name, uid, all, extra);
  }

  /** Returns the user as {@code UserInfo} of authentication.k8s.io. */
  public ObjectNode tree() {
    ObjectNode tree = Json.object().put("username", name);
    if (!uid.isEmpty()) {
      tree.put("uid", uid);
    }
    groups.forEach(tree.withArrayProperty("groups")::add);
    extra.forEach((key, values) ->
        values.forEach(tree.withObjectProperty("extra").withArrayProperty(key)::add));
    return tree;
  }
}
