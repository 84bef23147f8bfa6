package dev.stint.model.quota;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.Quantity;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A stored quota: what it limits, and how much of that is used.
 *
 * <p>Its status is current if it has the limits of its specification, and an amount for each of
 * them whose usage is known.
 */
public final class QuotaAccount {
  private final ObjectNode quota;
  private final List<Kind> kinds;
  private final NavigableMap<String, Quantity> hard;

  /** The limits in the status, which are others until it is current. */
  private final NavigableMap<String, Quantity> recordedHard;

  private final List<QuotaScope> scopes;

  /** An object that quotas count. */
  public record Counted(Kind kind, ObjectNode object) {}

  /**
   * @param quota the stored object; not changed
   * @param kinds the kinds that are served
   */
  public QuotaAccount(ObjectNode quota, Collection<Kind> kinds) {
    this.quota = quota;
    this.kinds = List.copyOf(kinds);
    this.hard = amounts(quota.path("spec").path("hard"));
    this.recordedHard = amounts(quota.path("status").path("hard"));
    this.scopes = QuotaScope.of(quota.path("spec"));
  }

  /** True if objects of this kind can count in quotas. */
  public static boolean isCounted(Kind kind) {
    return kind.namespaced() && !kind.equals(Kind.EVENT);
  }

  /** Returns the kinds of the objects that this quota counts. */
  public List<Kind> countedKinds() {
    return kinds.stream()
        .filter(QuotaAccount::isCounted)
        .filter(kind -> kind.equals(Kind.POD) || scopes.isEmpty())
        .filter(kind -> hard.keySet().stream().anyMatch(name -> mayUse(kind, name)))
        .toList();
  }

  private static boolean mayUse(Kind kind, String name) {
    return name.equals(QuotaResource.count(kind))
        || kind.group().isEmpty() && name.equals(kind.plural())
        || kind.equals(Kind.POD) && QuotaResource.isOfPods(name);
  }

  String name() {
    return quota.path("metadata").path("name").asString("");
  }

  NavigableMap<String, Quantity> hard() {
    return hard;
  }

  /** True if an object of this kind counts, whatever it uses. */
  boolean isInScope(Kind kind, ObjectNode object) {
    return scopes.isEmpty()
        || kind.equals(Kind.POD) && scopes.stream().allMatch(scope -> scope.matches(object));
  }

  /** Returns what an object uses of what this quota limits. */
  NavigableMap<String, Quantity> usage(Kind kind, @Nullable ObjectNode object) {
    return usage(kind, object, hard.keySet());
  }

  private NavigableMap<String, Quantity> usage(
      Kind kind, @Nullable ObjectNode object, Set<String> limits) {
    NavigableMap<String, Quantity> usage = new TreeMap<>();
    if (object != null && isInScope(kind, object)) {
      usage.putAll(ObjectUsage.of(kind, object));
      usage.keySet().retainAll(limits);
    }
    return usage;
  }

  /**
   * True if a change of an object changes what is used of this quota's limits, or of those in its
   * status: a status of former limits must not seem current once these limits return.
   */
  boolean isAffected(Kind kind, @Nullable ObjectNode before, @Nullable ObjectNode after) {
    return Stream.of(hard.keySet(), recordedHard.keySet())
        .distinct()
        .anyMatch(limits -> !isSame(usage(kind, before, limits), usage(kind, after, limits)));
  }

  /** True if the status is current. */
  public boolean isCurrent() {
    return recorded() != null;
  }

  /** Returns the recorded usage; null if the status is not current. */
  @Nullable NavigableMap<String, Quantity> recorded() {
    NavigableMap<String, Quantity> used = amounts(quota.path("status").path("used"));
    boolean current =
        isSame(hard, recordedHard)
            && hard.keySet().stream().allMatch(name -> used.containsKey(name) || !isTracked(name));
    return current ? used : null;
  }

  private boolean isTracked(String name) {
    return QuotaResource.isTracked(name, kinds);
  }

  /**
   * Returns the usage of all objects together.
   *
   * @param objects those of {@link #countedKinds()} in the quota's namespace
   */
  public NavigableMap<String, Quantity> counted(Stream<Counted> objects) {
    NavigableMap<String, Quantity> used = new TreeMap<>();
    hard.keySet().stream().filter(this::isTracked).forEach(name -> used.put(name, zero()));
    objects.forEach(each -> add(used, usage(each.kind(), each.object())));
    return used;
  }

  /**
   * Returns the quota with a newly counted status; the same document if the status is unchanged.
   *
   * @param used the usage of the objects of {@link #countedKinds()} in the quota's namespace, as
   *     {@link #counted} returns it, or the sum of such usages
   */
  public ObjectNode recounted(NavigableMap<String, Quantity> used) {
    NavigableMap<String, Quantity> known = recorded();
    return known != null && isSame(used, known) ? quota : with(used);
  }

  /** Returns the quota with its limits and this usage as its status. */
  ObjectNode with(NavigableMap<String, Quantity> used) {
    ObjectNode status = Json.copyOf(Json.objectAt(quota, "status"));
    ObjectNode limits = status.putObject("hard");
    hard.forEach((name, amount) -> limits.put(name, amount.canonical()));
    ObjectNode amounts = status.putObject("used");
    used.forEach((name, amount) -> amounts.put(name, amount.canonical()));
    return Json.copyOf(quota).set("status", status);
  }

  /** True if both have the same amounts, however they are written. */
  static boolean isSame(NavigableMap<String, Quantity> one, NavigableMap<String, Quantity> other) {
    return one.keySet().equals(other.keySet())
        && one.entrySet().stream()
            .allMatch(amount -> {
              Quantity same = other.get(amount.getKey());
              return same != null && same.compareTo(amount.getValue()) == 0;
            });
  }

  /** Adds amounts to others. */
  public static void add(
      NavigableMap<String, Quantity> amounts, NavigableMap<String, Quantity> more) {
    more.forEach((name, amount) -> amounts.merge(name, amount, Quantity::plus));
  }

  /** Subtracts amounts from others; negative results become 0. */
  static void subtract(
      NavigableMap<String, Quantity> amounts, NavigableMap<String, Quantity> less) {
    less.forEach((name, amount) ->
        amounts.computeIfPresent(
            name,
            (_, known) -> {
              Quantity rest = known.plus(new Quantity(amount.value().negate(), amount.style()));
              return rest.isNegative() ? zero() : rest;
            }));
  }

  private static Quantity zero() {
    return new Quantity(BigDecimal.ZERO, Quantity.Style.DECIMAL);
  }

  private static NavigableMap<String, Quantity> amounts(JsonNode amounts) {
    NavigableMap<String, Quantity> parsed = new TreeMap<>();
    amounts
        .properties()
        .forEach(amount -> {
          Quantity value = Quantity.parse(amount.getValue().asString(""));
          if (value != null) {
            parsed.put(amount.getKey(), value);
          }
        });
    return parsed;
  }
}
