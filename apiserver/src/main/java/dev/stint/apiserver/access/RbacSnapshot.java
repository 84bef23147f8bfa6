package dev.stint.apiserver.access;

import dev.stint.apiserver.access.RbacSource.Stored;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A snapshot of all roles and bindings. A snapshot reads only what was written since the one before
 * it, so that large roles of one namespace cost the others nothing.
 */
final class RbacSnapshot {
  /** Nothing is bound. */
  static final RbacSnapshot EMPTY = new RbacSnapshot(Map.of(), Map.of());

  /**
   * The rules that a binding gives to a subject.
   *
   * @param source names the binding, the role and the subject, for explanations
   */
  record Grant(List<PolicyRule> rules, String source) {}

  private final Map<Long, RbacRole> roles;
  private final Map<Long, RbacBinding> bindings;
  private final Map<RbacRole.Key, List<PolicyRule>> rules = new HashMap<>();
  private final Map<Subject, List<Placed>> bySubject = new HashMap<>();

  /** A user or a group, in a namespace; "" for everywhere. */
  private record Subject(String namespace, boolean isGroup, String name) {}

  /** A binding, and its place among all. */
  private record Placed(int place, RbacBinding binding) {}

  private RbacSnapshot(Map<Long, RbacRole> roles, Map<Long, RbacBinding> bindings) {
    this.roles = roles;
    this.bindings = bindings;
    List<RbacRole> clusterRoles =
        roles.values().stream().filter(role -> role.key().namespace().isEmpty()).toList();
    roles.values().forEach(role -> rules.put(role.key(), rulesOf(role, clusterRoles)));
    int place = 0;
    for (RbacBinding binding : bindings.values()) {
      add(new Placed(place++, binding));
    }
  }

  private void add(Placed placed) {
    RbacBinding binding = placed.binding();
    binding.users().keySet().forEach(user -> add(placed, false, user));
    binding.groups().keySet().forEach(group -> add(placed, true, group));
  }

  private void add(Placed placed, boolean isGroup, String name) {
    Subject subject = new Subject(placed.binding().namespace(), isGroup, name);
    bySubject.computeIfAbsent(subject, _ -> new ArrayList<>()).add(placed);
  }

  /** Returns a snapshot of the source as it is now. */
  RbacSnapshot next(RbacSource source) {
    return new RbacSnapshot(
        read(source, List.of(Kind.ROLE, Kind.CLUSTER_ROLE), roles, RbacRole::of),
        read(
            source,
            List.of(Kind.CLUSTER_ROLE_BINDING, Kind.ROLE_BINDING),
            bindings,
            RbacBinding::of));
  }

  /** Returns what objects say, by their revisions; takes what is known from there. */
  private static <T> Map<Long, T> read(
      RbacSource source, List<Kind> kinds, Map<Long, T> known, Function<KubeObject, T> reading) {
    Map<Long, T> all = new LinkedHashMap<>();
    for (Kind kind : kinds) {
      for (Stored stored : source.list(kind)) {
        T before = known.get(stored.revision());
        all.put(stored.revision(), before != null ? before : reading.apply(stored.object().get()));
      }
    }
    return all;
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

  /** Returns the grants in the order of the bindings, of which only those of the user are read. */
  private Stream<Grant> in(User user, String namespace) {
    SortedMap<Integer, RbacBinding> own = new TreeMap<>();
    collect(new Subject(namespace, false, user.name()), own);
    user.groups().forEach(group -> collect(new Subject(namespace, true, group), own));
    return own.values().stream().flatMap(binding -> Stream.ofNullable(grant(user, binding)));
  }

  private void collect(Subject subject, SortedMap<Integer, RbacBinding> own) {
    bySubject
        .getOrDefault(subject, List.of())
        .forEach(placed -> own.put(placed.place(), placed.binding()));
  }

  private @Nullable Grant grant(User user, RbacBinding binding) {
    String source = binding.sourceFor(user);
    List<PolicyRule> granted = source == null ? null : rules.get(binding.role());
    return source == null || granted == null ? null : new Grant(granted, source);
  }

  /**
   * Returns the rules of the role that a binding refers to, or null if the role does not exist.
   *
   * @param namespace the binding's
   */
  @Nullable List<PolicyRule> rulesOf(@Nullable JsonNode roleRef, String namespace) {
    return rules.get(RbacRole.Key.of(roleRef, namespace));
  }

  /**
   * Returns a role's own rules; for an aggregated role, the rules of all roles that it selects,
   * through any number of other aggregated roles.
   */
  private static List<PolicyRule> rulesOf(RbacRole role, List<RbacRole> clusterRoles) {
    if (!role.aggregates()) {
      return role.rules();
    }
    List<RbacRole> reached = new ArrayList<>(List.of(role));
    Set<RbacRole.Key> keys = new HashSet<>(Set.of(role.key()));
    for (int i = 0; i < reached.size(); i++) {
      RbacRole next = reached.get(i);
      clusterRoles.stream()
          .filter(other -> next.selects(other) && keys.add(other.key()))
          .forEach(reached::add);
    }
    return reached.stream().flatMap(each -> each.rules().stream()).distinct().toList();
  }
}
