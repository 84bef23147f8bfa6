package dev.stint.simulation;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.pod.PodPhase;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The laws of resource quotas. They count themselves what the stored objects use, in thousandths.
 */
final class QuotaLaws {
  private final Map<String, KubeObject> quotas = new LinkedHashMap<>();

  /** The kinds and resources that quotas may count. */
  private final Map<String, KubeObject> counted = new LinkedHashMap<>();

  private boolean changed;
  private @Nullable AssertionError broken;

  /** Checks a durable change. */
  void changed(@Nullable KubeObject before, @Nullable KubeObject after) {
    KubeObject any = after == null ? before : after;
    if (any == null) {
      return;
    }
    changed = true;
    update(any.kind().equals(Kind.RESOURCE_QUOTA) ? quotas : counted, before, after);
    if (before == null && after != null && counted.containsKey(after.uid())) {
      quotas.values().forEach(quota -> mayBeCreated(quota, after));
    }
  }

  private static void update(
      Map<String, KubeObject> objects, @Nullable KubeObject before, @Nullable KubeObject after) {
    if (after != null) {
      objects.put(after.uid(), after);
    } else if (before != null) {
      objects.remove(before.uid());
    }
  }

  Iterable<KubeObject> quotas() {
    return quotas.values();
  }

  /** Only an object that a quota has room for is created; it names all that the quota limits. */
  private void mayBeCreated(KubeObject quota, KubeObject object) {
    limits(quota.spec())
        .forEach((name, limit) -> {
          if (usage(quota, name, object) > 0 && total(quota, name) > limit) {
            breaks(quota, object + " is created beyond " + name);
          }
          if (name.endsWith(".cpu") && isScoped(quota, object) && cpu(object, name) == null) {
            breaks(quota, object + " is created without " + name);
          }
        });
  }

  private void breaks(KubeObject quota, String how) {
    if (broken == null) {
      broken = new AssertionError(how + "\n  quota " + quota.tree());
    }
  }

  /** Throws the violation that was found, if there is one. */
  void hold() {
    if (broken != null) {
      throw broken;
    }
    if (changed) {
      quotas.values().stream().filter(QuotaLaws::isCurrent).forEach(this::checkStatus);
      changed = false;
    }
  }

  /** A status whose limits are those of the specification says what is used, at any time. */
  private void checkStatus(KubeObject quota) {
    Map<String, Long> used = amounts(quota.tree().at("/status/used"));
    Map<String, Long> right =
        limits(quota.spec()).keySet().stream()
            .collect(
                Collectors.toMap(
                    name -> name, name -> total(quota, name), Long::sum, TreeMap::new));
    if (!used.equals(right)) {
      throw new AssertionError(
          "a quota tells a wrong usage\n  right " + right + "\n  quota " + quota.tree());
    }
  }

  private static boolean isCurrent(KubeObject quota) {
    return limits(quota.spec()).equals(amounts(quota.tree().at("/status/hard")));
  }

  /** Checks what must hold once nothing changes any more. */
  void checkEnd() {
    hold();
    for (KubeObject quota : quotas.values()) {
      if (!isCurrent(quota)) {
        throw new AssertionError("a quota never gets a status\n  quota " + quota.tree());
      }
    }
  }

  private long total(KubeObject quota, String name) {
    return counted.values().stream().mapToLong(object -> usage(quota, name, object)).sum();
  }

  /** Returns what an object uses of what a quota limits by this name. */
  private static long usage(KubeObject quota, String name, KubeObject object) {
    boolean isPod = object.kind().equals(Kind.POD);
    if (quota.spec() != null && quota.spec().has("scopes") && !isPod) {
      return 0;
    }
    return switch (name) {
      case "pods" -> isScoped(quota, object) && !isTerminal(object) ? 1000 : 0;
      case "requests.cpu", "limits.cpu" -> {
        Long cpu = isScoped(quota, object) && !isTerminal(object) ? cpu(object, name) : null;
        yield cpu == null ? 0 : cpu;
      }
      case "count/pods" -> isScoped(quota, object) ? 1000 : 0;
      case "configmaps" -> object.kind().equals(Kind.CONFIG_MAP) ? 1000 : 0;
      case "count/jobs.batch" -> object.kind().equals(Kind.JOB) ? 1000 : 0;
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static boolean isTerminal(KubeObject pod) {
    return PodPhase.of(pod).isTerminal();
  }

  /** True for a pod that a quota with these scopes counts. */
  private static boolean isScoped(KubeObject quota, KubeObject object) {
    if (!object.kind().equals(Kind.POD)) {
      return false;
    }
    for (JsonNode scope : quota.tree().at("/spec/scopes")) {
      if (scope.asString("").equals("BestEffort") != isBestEffort(object)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isBestEffort(KubeObject pod) {
    JsonNode resources = resources(pod);
    for (String side : new String[] {"requests", "limits"}) {
      if (resources.path(side).has("cpu") || resources.path(side).has("memory")) {
        return false;
      }
    }
    return true;
  }

  /** The pods of simulated Jobs have one container. */
  private static JsonNode resources(KubeObject pod) {
    return pod.tree().at("/spec/containers/0/resources");
  }

  /**
   * @param name {@code requests.cpu} or {@code limits.cpu}
   */
  private static @Nullable Long cpu(KubeObject object, String name) {
    JsonNode amount = resources(object).path(name.substring(0, name.indexOf('.'))).path("cpu");
    return amount.isMissingNode() ? null : thousandths(amount.asString(""));
  }

  private static Map<String, Long> limits(@Nullable JsonNode spec) {
    return spec == null ? Map.of() : amounts(spec.path("hard"));
  }

  private static Map<String, Long> amounts(JsonNode amounts) {
    Map<String, Long> all = new TreeMap<>();
    amounts
        .properties()
        .forEach(each -> all.put(each.getKey(), thousandths(each.getValue().asString(""))));
    return all;
  }

  /** Returns an amount in thousandths. */
  static long thousandths(String quantity) {
    return quantity.endsWith("m")
        ? Long.parseLong(quantity.substring(0, quantity.length() - 1))
        : 1000 * Long.parseLong(quantity);
  }
}
