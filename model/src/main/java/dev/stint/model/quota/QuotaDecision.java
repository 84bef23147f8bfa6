package dev.stint.model.quota;

import dev.stint.model.Kind;
import dev.stint.model.Quantity;
import dev.stint.model.pod.PodPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The decision of quotas about a change of one object. */
public sealed interface QuotaDecision {
  /**
   * The change is allowed.
   *
   * @param quotas the quotas whose status changes with it
   */
  record Charged(List<ObjectNode> quotas) implements QuotaDecision {}

  /**
   * The object must not be created.
   *
   * @param why in Kubernetes' words
   */
  record Refused(String why) implements QuotaDecision {}

  /**
   * A change of one object.
   *
   * @param before null if the object is new
   * @param after null if the object is removed
   */
  record ObjectChange(Kind kind, @Nullable ObjectNode before, @Nullable ObjectNode after) {
    boolean isCreation() {
      return before == null;
    }

    /** False if usage stays the same for certain. A cheap test, for changes of statuses. */
    public boolean mayMatter() {
      if (before == null || after == null) {
        return true;
      }
      return kind.equals(Kind.POD)
          && (before.get("spec") != after.get("spec") || isTerminal(before) != isTerminal(after));
    }

    private static boolean isTerminal(ObjectNode pod) {
      return PodPhase.of(pod).isTerminal();
    }
  }

  /**
   * Decides about a change. Only creations are refused: what else uses more than is left has
   * happened already.
   *
   * @param quotas those of the object's namespace
   * @param counted counts what the objects of that namespace use of a quota whose status is not
   *     current, without the change
   */
  static QuotaDecision about(
      ObjectChange change,
      List<QuotaAccount> quotas,
      Function<QuotaAccount, NavigableMap<String, Quantity>> counted) {
    List<ObjectNode> changed = new ArrayList<>();
    for (QuotaAccount quota : quotas) {
      String missing = change.isCreation() ? missing(quota, change) : "";
      if (!missing.isEmpty()) {
        return new Refused("failed quota: %s: %s".formatted(quota.name(), missing));
      }
      if (!quota.isAffected(change.kind(), change.before(), change.after())) {
        continue;
      }
      NavigableMap<String, Quantity> given = quota.usage(change.kind(), change.before());
      NavigableMap<String, Quantity> taken = quota.usage(change.kind(), change.after());
      NavigableMap<String, Quantity> recorded = quota.recorded();
      NavigableMap<String, Quantity> used = recorded != null ? recorded : counted.apply(quota);
      if (change.isCreation() && !exceeded(quota, used, taken).isEmpty()) {
        return new Refused(exceeded(quota, used, taken));
      }
      NavigableMap<String, Quantity> left = new TreeMap<>(used);
      QuotaAccount.subtract(left, given);
      QuotaAccount.add(left, taken);
      changed.add(quota.with(left));
    }
    return new Charged(changed);
  }

  private static String missing(QuotaAccount quota, ObjectChange change) {
    ObjectNode after = change.after();
    return after != null && change.kind().equals(Kind.POD) && quota.isInScope(Kind.POD, after)
        ? ComputeRequirements.missing(after, quota.hard().keySet())
        : "";
  }

  private static String exceeded(
      QuotaAccount quota,
      NavigableMap<String, Quantity> used,
      NavigableMap<String, Quantity> taken) {
    NavigableMap<String, Quantity> exceeding = new TreeMap<>();
    taken.forEach((name, amount) -> {
      Quantity known = used.get(name);
      Quantity total = known == null ? amount : known.plus(amount);
      Quantity hard = quota.hard().get(name);
      if (amount.value().signum() > 0 && hard != null && total.compareTo(hard) > 0) {
        exceeding.put(name, amount);
      }
    });
    return exceeding.isEmpty()
        ? ""
        : "exceeded quota: %s, requested: %s, used: %s, limited: %s"
            .formatted(
                quota.name(),
                listed(exceeding.keySet(), exceeding),
                listed(exceeding.keySet(), used),
                listed(exceeding.keySet(), quota.hard()));
  }

  private static String listed(Set<String> names, NavigableMap<String, Quantity> amounts) {
    return amounts.entrySet().stream()
        .filter(amount -> names.contains(amount.getKey()))
        .map(amount -> amount.getKey() + "=" + amount.getValue().canonical())
        .collect(Collectors.joining(","));
  }
}
