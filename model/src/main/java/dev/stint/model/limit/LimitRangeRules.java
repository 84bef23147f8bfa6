package dev.stint.model.limit;

import dev.stint.model.Quantity;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.pod.ResourceRules;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Rules of a limit range's {@code spec}. */
public final class LimitRangeRules {
  private static final Set<String> TYPES = Set.of("Pod", "Container", "PersistentVolumeClaim");

  private LimitRangeRules() {}

  /** Checks a new or changed limit range with its defaults. */
  public static void check(FieldPath spec, FieldErrors faults) {
    Set<String> seen = new HashSet<>();
    for (FieldPath item : spec.get("limits").items()) {
      FieldPath type = item.get("type");
      type(type, faults);
      if (!seen.add(type.text())) {
        faults.duplicate(type, type.text() + " stands here twice");
      }
      names(item, faults);
      if (type.text().equals("PersistentVolumeClaim")) {
        claims(item, faults);
      }
      resources(item).forEach(resource -> amounts(item, resource, faults));
    }
  }

  private static void type(FieldPath type, FieldErrors faults) {
    String complaint = Formats.qualifiedName(type.text());
    faults.invalidUnlessSound(type, complaint);
    if (complaint == null && !type.text().contains("/") && !TYPES.contains(type.text())) {
      faults.invalid(type, "must be a standard limit type or fully qualified");
    }
  }

  private static void names(FieldPath item, FieldErrors faults) {
    String type = item.get("type").text();
    for (String member : LimitRangeDefaults.AMOUNTS) {
      FieldPath amounts = item.get(member);
      if (type.equals("Pod") && member.startsWith("default")) {
        if (!amounts.isEmpty()) {
          faults.forbidden(amounts, "may not be specified when `type` is 'Pod'");
        }
      } else {
        amounts.entries().forEach(amount -> name(amount, type, faults));
      }
    }
  }

  private static void name(FieldPath amount, String type, FieldErrors faults) {
    if (type.equals("Pod") || type.equals("Container")) {
      ResourceRules.name(amount, faults);
    } else {
      faults.invalidUnlessSound(amount, Formats.qualifiedName(amount.key()));
    }
  }

  private static void claims(FieldPath item, FieldErrors faults) {
    if (!item.get("min", "storage").exists() && !item.get("max", "storage").exists()) {
      faults.required(
          item.get("limits"),
          "either minimum or maximum storage value is required, but neither was provided");
    }
  }

  private static Set<String> resources(FieldPath item) {
    Set<String> resources = new TreeSet<>();
    for (String member : LimitRangeDefaults.AMOUNTS) {
      item.get(member).entries().forEach(amount -> resources.add(amount.key()));
    }
    return resources;
  }

  private static void amounts(FieldPath item, String resource, FieldErrors faults) {
    Amount min = Amount.of(item, "min", "min value", resource);
    Amount max = Amount.of(item, "max", "max value", resource);
    Amount request = Amount.of(item, "defaultRequest", "default request value", resource);
    Amount limit = Amount.of(item, "default", "default value", resource);
    atMost(min, max, min, faults);
    atMost(min, request, request, faults);
    atMost(request, max, request, faults);
    atMost(request, limit, request, faults);
    atMost(min, limit, limit, faults);
    atMost(limit, max, limit, faults);
    ratio(Amount.of(item, "maxLimitRequestRatio", "ratio", resource), min, max, faults);
    if (isInWholeUnits(resource)
        && request.value != null
        && limit.value != null
        && request.value.compareTo(limit.value) != 0) {
      faults.invalid(
          limit.at,
          "default value %s must equal to defaultRequest value %s in %s"
              .formatted(limit.value.canonical(), request.value.canonical(), resource));
    }
  }

  /** Reports an amount that is greater than another one. */
  private static void atMost(Amount lower, Amount upper, Amount place, FieldErrors faults) {
    if (lower.value != null && upper.value != null && lower.value.compareTo(upper.value) > 0) {
      faults.invalid(
          place.at,
          "%s %s is greater than %s %s"
              .formatted(lower.name, lower.value.canonical(), upper.name, upper.value.canonical()));
    }
  }

  private static void ratio(Amount ratio, Amount min, Amount max, FieldErrors faults) {
    if (ratio.value == null) {
      return;
    }
    if (ratio.value.value().compareTo(BigDecimal.ONE) < 0) {
      faults.invalid(ratio.at, "ratio %s is less than 1".formatted(ratio.value.canonical()));
    }
    BigDecimal least = min.positive();
    BigDecimal most = max.positive();
    if (least != null && most != null) {
      BigDecimal possible = most.divide(least, MathContext.DECIMAL64);
      if (ratio.value.value().compareTo(possible) > 0) {
        faults.invalid(
            ratio.at,
            String.format(
                Locale.ROOT,
                "ratio %s is greater than max/min = %f",
                ratio.value.canonical(),
                possible));
      }
    }
  }

  /** True for resources of which a container cannot use more than it requests. */
  private static boolean isInWholeUnits(String resource) {
    return resource.startsWith("hugepages-")
        || resource.contains("/") && !resource.contains("kubernetes.io/");
  }

  /**
   * An amount of an item.
   *
   * @param name what messages call it
   * @param value null if there is none
   */
  private record Amount(FieldPath at, String name, @Nullable Quantity value) {
    static Amount of(FieldPath item, String member, String name, String resource) {
      FieldPath at = item.get(member).entry(resource);
      return new Amount(at, name, at.exists() ? Quantity.parse(at.text()) : null);
    }

    @Nullable BigDecimal positive() {
      return value == null || value.value().signum() <= 0 ? null : value.value();
    }
  }
}
