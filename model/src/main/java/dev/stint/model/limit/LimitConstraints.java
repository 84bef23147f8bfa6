package dev.stint.model.limit;

import dev.stint.model.Quantity;
import dev.stint.model.pod.ContainerAmounts;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Decides whether a pod keeps within the limit ranges of its namespace. */
public final class LimitConstraints {
  private LimitConstraints() {}

  /**
   * Returns why a pod must be refused, in Kubernetes' words; empty if it need not.
   *
   * @param spec the pod's specification with its defaults
   * @param limitRanges the limit ranges of its namespace
   */
  public static String refusal(ObjectNode spec, List<ObjectNode> limitRanges) {
    for (ObjectNode limitRange : limitRanges) {
      Set<String> faults = new LinkedHashSet<>();
      LimitRangeItem.of(limitRange).forEach(item -> check(spec, item, faults));
      if (!faults.isEmpty()) {
        return faults.size() == 1
            ? faults.iterator().next()
            : "[" + String.join(", ", faults) + "]";
      }
    }
    return "";
  }

  private static void check(ObjectNode spec, LimitRangeItem item, Set<String> faults) {
    switch (item.type()) {
      case "Container" -> {
        for (String list : List.of("containers", "initContainers")) {
          for (JsonNode container : spec.path(list)) {
            check(
                item,
                ContainerAmounts.ofHolder(container, "requests"),
                ContainerAmounts.ofHolder(container, "limits"),
                faults);
          }
        }
      }
      case "Pod" ->
          check(
              item,
              ContainerAmounts.ofPod(spec, "requests"),
              ContainerAmounts.ofPod(spec, "limits"),
              faults);
      default -> {} // Nothing of another type is in a pod.
    }
  }

  private static void check(
      LimitRangeItem item,
      Map<String, Quantity> requests,
      Map<String, Quantity> limits,
      Set<String> faults) {
    String type = item.type();
    item.min()
        .forEach((resource, min) -> {
          String start = "minimum %s usage per %s is %s".formatted(resource, type, min.canonical());
          add(start, tooLittle(min, requests.get(resource), limits.get(resource)), faults);
        });
    item.max()
        .forEach((resource, max) -> {
          String start = "maximum %s usage per %s is %s".formatted(resource, type, max.canonical());
          add(start, tooMuch(max, requests.get(resource), limits.get(resource)), faults);
        });
    item.ratio()
        .forEach((resource, ratio) -> {
          String start =
              "%s max limit to request ratio per %s is %s"
                  .formatted(resource, type, ratio.canonical());
          add(start, tooFarApart(ratio, requests.get(resource), limits.get(resource)), faults);
        });
  }

  private static void add(String start, @Nullable String fault, Set<String> faults) {
    if (fault != null) {
      faults.add(start + fault);
    }
  }

  private static @Nullable String tooLittle(
      Quantity min, @Nullable Quantity request, @Nullable Quantity limit) {
    if (request == null) {
      return ".  No request is specified";
    }
    if (request.compareTo(min) < 0) {
      return ", but request is " + request.canonical();
    }
    return limit != null && limit.compareTo(min) < 0 ? ", but limit is " + limit.canonical() : null;
  }

  private static @Nullable String tooMuch(
      Quantity max, @Nullable Quantity request, @Nullable Quantity limit) {
    if (limit == null) {
      return ".  No limit is specified";
    }
    if (limit.compareTo(max) > 0) {
      return ", but limit is " + limit.canonical();
    }
    return request != null && request.compareTo(max) > 0
        ? ", but request is " + request.canonical()
        : null;
  }

  private static @Nullable String tooFarApart(
      Quantity ratio, @Nullable Quantity request, @Nullable Quantity limit) {
    if (request == null || request.value().signum() == 0) {
      return ", but no request is specified or request is 0";
    }
    if (limit == null || limit.value().signum() == 0) {
      return ", but no limit is specified or limit is 0";
    }
    BigDecimal provided = limit.value().divide(request.value(), MathContext.DECIMAL64);
    return provided.compareTo(ratio.value()) > 0
        ? String.format(Locale.ROOT, ", but provided ratio is %f", provided)
        : null;
  }
}
