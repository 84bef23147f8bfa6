package dev.stint.apiserver.access;

import dev.stint.apiserver.access.RbacSource.Stored;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the roles and bindings of one namespace, or of those that lie in none. A snapshot
 * reads only what was written since the one before it, and shares the rest with it.
 */
final class RbacSnapshot {
  /** Nothing is bound. */
  static final RbacSnapshot EMPTY =
      new RbacSnapshot(Map.of(), Map.of(), Map.of(), new BindingIndex(List.of()));

  /** The kinds of roles and bindings that lie in a namespace, or in none. */
  private record Kinds(Kind role, Kind binding) {
    static Kinds in(String namespace) {
      return namespace.isEmpty()
          ? new Kinds(Kind.CLUSTER_ROLE, Kind.CLUSTER_ROLE_BINDING)
          : new Kinds(Kind.ROLE, Kind.ROLE_BINDING);
    }
  }

  /**
   * The rules that a binding gives to a subject.
   *
   * @param source names the binding, the role and the subject, for explanations
   */
  record Grant(List<PolicyRule> rules, String source) {}

  /** The roles and bindings by the revisions of their last writes. */
  private final Map<Long, RbacRole> roles;

  private final Map<Long, RbacBinding> bindings;
  private final Map<RbacRole.Key, List<PolicyRule>> rules;
  private final BindingIndex index;

  private RbacSnapshot(
      Map<Long, RbacRole> roles,
      Map<RbacRole.Key, List<PolicyRule>> rules,
      Map<Long, RbacBinding> bindings,
      BindingIndex index) {
    this.roles = roles;
    this.rules = rules;
    this.bindings = bindings;
    this.index = index;
  }

  /** Returns a snapshot of a namespace as it is now; this one if nothing has changed. */
  RbacSnapshot next(RbacSource source, String namespace) {
    Kinds kinds = Kinds.in(namespace);
    Map<Long, RbacRole> newRoles = read(source.list(kinds.role, namespace), roles, RbacRole::of);
    Map<Long, RbacBinding> newBindings =
        read(source.list(kinds.binding, namespace), bindings, RbacBinding::of);
    return newRoles == roles && newBindings == bindings
        ? this
        : new RbacSnapshot(
            newRoles,
            newRoles == roles ? rules : rulesOf(newRoles.values()),
            newBindings,
            newBindings == bindings ? index : new BindingIndex(List.copyOf(newBindings.values())));
  }

  /** True if there is nothing in a namespace now. */
  static boolean isEmpty(RbacSource source, String namespace) {
    Kinds kinds = Kinds.in(namespace);
    return Stream.of(kinds.role, kinds.binding)
        .allMatch(kind -> source.list(kind, namespace).findAny().isEmpty());
  }

  /** Returns what objects say, by their revisions; takes what is known from there. */
  private static <T> Map<Long, T> read(
      Stream<Stored> objects, Map<Long, T> known, Function<KubeObject, T> reading) {
    Map<Long, T> all = new LinkedHashMap<>();
    objects.forEach(stored -> {
      T before = known.get(stored.revision());
      all.put(stored.revision(), before != null ? before : reading.apply(stored.object().get()));
    });
    return all.keySet().equals(known.keySet()) ? known : all;
  }

  private static Map<RbacRole.Key, List<PolicyRule>> rulesOf(Collection<RbacRole> roles) {
    Map<RbacRole.Key, List<PolicyRule>> rules = new HashMap<>();
    roles.forEach(role -> rules.put(role.key(), rulesOf(role, roles)));
    return rules;
  }

  /**
   * Returns a role's own rules; for an aggregated role, the rules of all roles that it selects,
   * through any number of other aggregated roles.
   */
  private static List<PolicyRule> rulesOf(RbacRole role, Collection<RbacRole> all) {
    if (!role.aggregates()) {
      return role.rules();
    }
    List<RbacRole> reached = new ArrayList<>(List.of(role));
    Set<RbacRole.Key> keys = new HashSet<>(Set.of(role.key()));
    for (int i = 0; i < reached.size(); i++) {
      RbacRole next = reached.get(i);
      all.stream()
          .filter(other -> next.selects(other) && keys.add(other.key()))
          .forEach(reached::add);
    }
    return reached.stream().flatMap(each -> each.rules().stream()).distinct().toList();
  }

  /** True if there is neither a role nor a binding. */
  boolean isEmpty() {
    return roles.isEmpty() && bindings.isEmpty();
  }

  /**
   * Returns what the bindings here give to a user, in their order.
   *
   * @param everywhere has the ClusterRoles, which a namespace's bindings may refer to as well
   */
  Stream<Grant> of(User user, RbacSnapshot everywhere) {
    return index.of(user).flatMap(each -> Stream.ofNullable(grant(user, each, everywhere)));
  }

  private @Nullable Grant grant(User user, RbacBinding binding, RbacSnapshot everywhere) {
    String source = binding.sourceFor(user);
    RbacSnapshot place = binding.role().namespace().isEmpty() ? everywhere : this;
    List<PolicyRule> granted = source == null ? null : place.rulesOf(binding.role());
    return source == null || granted == null ? null : new Grant(granted, source);
  }

  /** Returns the rules of a role that lies here, or null if it does not exist. */
  @Nullable List<PolicyRule> rulesOf(RbacRole.Key role) {
    return rules.get(role);
  }
}
