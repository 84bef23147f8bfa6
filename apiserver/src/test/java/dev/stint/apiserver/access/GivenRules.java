package dev.stint.apiserver.access;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Roles and bindings for tests. */
final class GivenRules implements RbacSource {
  private final Map<ObjectRef, Stored> objects = new LinkedHashMap<>();
  private final Map<String, Long> revisions = new HashMap<>();
  private long revision;
  int listed;

  /** The names of the objects that were read. */
  final List<String> read = new ArrayList<>();

  static GivenRules bootstrapped() {
    GivenRules rules = new GivenRules();
    BuiltInRoles.objects().forEach(rules::put);
    return rules;
  }

  @Override
  public long revision(String namespace) {
    return revisions.getOrDefault(namespace, 0L);
  }

  @Override
  public Stream<Stored> list(Kind kind, String namespace) {
    listed++;
    return objects.entrySet().stream()
        .filter(entry -> entry.getKey().kind().equals(kind))
        .filter(entry -> entry.getKey().namespace().equals(namespace))
        .map(Map.Entry::getValue);
  }

  @Override
  public Set<String> namespaces() {
    return objects.keySet().stream().map(ObjectRef::namespace).collect(Collectors.toSet());
  }

  /** Adds an object, in place of any with the same kind, namespace and name. */
  KubeObject put(KubeObject object) {
    objects.remove(object.ref());
    Supplier<KubeObject> reading =
        () -> {
          read.add(object.name());
          return object;
        };
    objects.put(object.ref(), new Stored(++revision, reading));
    changed(object.namespace());
    return object;
  }

  void remove(KubeObject object) {
    objects.remove(object.ref());
    changed(object.namespace());
  }

  /** Counts a change, such as a write that was refused in the end. */
  void changed(String namespace) {
    revisions.merge(namespace, 1L, Long::sum);
  }

  /**
   * @param namespace "" for a ClusterRole
   * @param rules a JSON list, with single quotes
   */
  static KubeObject role(String namespace, String name, String rules) {
    return object(namespace, "Role", name, "'rules':" + rules);
  }

  /**
   * @param namespace "" for a ClusterRoleBinding
   * @param role such as {@code ClusterRole/view}
   * @param subjects such as {@code User/jane} or {@code ServiceAccount/ci:builder}
   */
  static KubeObject binding(String namespace, String name, String role, String... subjects) {
    StringBuilder members = new StringBuilder();
    String[] ref = role.split("/");
    members.append(
        "'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'%s','name':'%s'},'subjects':["
            .formatted(ref[0], ref[1]));
    for (int i = 0; i < subjects.length; i++) {
      String[] subject = subjects[i].split("/");
      String[] account = subject[1].split(":");
      members.append(i == 0 ? "" : ",");
      members.append(
          subject[0].equals("ServiceAccount")
              ? "{'kind':'ServiceAccount','namespace':'%s','name':'%s'}"
                  .formatted(account[0], account[1])
              : "{'kind':'%s','name':'%s'}".formatted(subject[0], subject[1]));
    }
    return object(namespace, "RoleBinding", name, members.append("]").toString());
  }

  static KubeObject object(String namespace, String kind, String name, String members) {
    String full = namespace.isEmpty() ? "Cluster" + kind : kind;
    String where = namespace.isEmpty() ? "" : ",'namespace':'" + namespace + "'";
    String text =
        "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'%s','metadata':{'name':'%s'%s},%s}"
            .formatted(full, name, where, members);
    return KubeObject.of(Json.parse(text.replace('\'', '"')));
  }
}
