package dev.stint.apiserver.access;

import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * Who makes a request.
 *
 * @param name such as {@code jane} or {@code system:serviceaccount:default:builder}
 * @param uid tells users of one name apart in time; "" where nobody knows
 * @param groups what the user belongs to, such as {@code system:authenticated}
 * @param extra what else is known, by keys such as {@code authentication.kubernetes.io/pod-name}
 */
public record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  /** The group of all whom somebody vouched for. */
  public static final String AUTHENTICATED = "system:authenticated";

  /** The group of all others. */
  public static final String UNAUTHENTICATED = "system:unauthenticated";

  /** Whoever says nothing of who they are. */
  public static final User ANONYMOUS =
      new User("system:anonymous", "", List.of(UNAUTHENTICATED), Map.of());

  public User {
    groups = List.copyOf(groups);
    Map<String, List<String>> copy = new LinkedHashMap<>();
    extra.forEach((key, values) -> copy.put(key, List.copyOf(values)));
    extra = Map.copyOf(copy);
  }

  /** A user with groups and nothing else. */
  public static User of(String name, String... groups) {
    return new User(name, "", List.of(groups), Map.of());
  }

  /** The same user, known to be in {@link #AUTHENTICATED}. */
  User authenticated() {
    if (groups.contains(AUTHENTICATED)) {
      return this;
    }
    List<String> all = new ArrayList<>(groups);
    all.add(AUTHENTICATED);
    return new User(name, uid, all, extra);
  }

  /** As {@code UserInfo} of authentication.k8s.io. */
  ObjectNode tree() {
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
