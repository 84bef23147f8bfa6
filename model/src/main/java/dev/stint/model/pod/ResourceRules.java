package dev.stint.model.pod;

import dev.stint.model.Quantity;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.field.MessagePhrases;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Rules of {@code resources}. */
public final class ResourceRules {
  static final String HUGE_PAGES = "hugepages-";
  private static final Set<String> STANDARD = Set.of("cpu", "memory", "ephemeral-storage");

  private ResourceRules() {}

  /**
   * Checks the resources of a container.
   *
   * @param claims the names of the pod's resource claims
   */
  static void container(FieldPath resources, Set<String> claims, FieldErrors faults) {
    check(resources, faults);
    claims(resources, claims, faults);
  }

  static void claims(FieldPath resources, Set<String> claims, FieldErrors faults) {
    Set<String> seen = new HashSet<>();
    for (FieldPath claim : resources.get("claims").items()) {
      String name = claim.get("name").text();
      String request = claim.get("request").text();
      if (name.isEmpty()) {
        faults.required(claim, "needs a name");
      } else if (!seen.add(name + "/" + request)) {
        faults.duplicate(claim, "\"" + name + "\" occurs twice");
      }
      if (!request.isEmpty()) {
        faults.invalidUnlessSound(claim.get("request"), Formats.dnsLabel(request));
      }
      if (!name.isEmpty() && !claims.contains(name)) {
        faults.notFound(
            claim, MessagePhrases.quoted(name) + " is not one of the pod's resourceClaims");
      }
    }
  }

  static void check(FieldPath resources, FieldErrors faults) {
    check(resources, ResourceRules::name, faults);
  }

  /**
   * Checks limits and requests.
   *
   * @param nameRule checks the names of resources
   */
  static void check(
      FieldPath resources, BiConsumer<FieldPath, FieldErrors> nameRule, FieldErrors faults) {
    FieldPath limits = resources.get("limits");
    FieldPath requests = resources.get("requests");
    for (FieldPath limit : limits.entries()) {
      nameRule.accept(limit, faults);
      value(limit, faults);
    }
    for (FieldPath request : requests.entries()) {
      nameRule.accept(request, faults);
      value(request, faults);
      againstLimit(request, limits, requests, faults);
    }
    List<String> names =
        Stream.concat(limits.entries().stream(), requests.entries().stream())
            .map(FieldPath::key)
            .toList();
    if (names.stream().anyMatch(name -> name.startsWith(HUGE_PAGES))
        && !names.contains("cpu")
        && !names.contains("memory")) {
      faults.forbidden(resources, "huge pages require a cpu or memory request or limit");
    }
  }

  /** Checks the overhead of pods. Paths are those of limits, as in Kubernetes. */
  public static void overhead(FieldPath overhead, FieldErrors faults) {
    FieldPath limits = overhead.get("limits");
    for (FieldPath amount : overhead.entries()) {
      amount(amount.reportedAt(limits.entry(amount.key())), faults);
    }
  }

  /** Checks one entry of a map of amounts. */
  static void amount(FieldPath amount, FieldErrors faults) {
    name(amount, faults);
    value(amount, faults);
  }

  private static void value(FieldPath amount, FieldErrors faults) {
    Quantity quantity = quantity(amount);
    if (quantity == null) {
      return;
    }
    if (quantity.isNegative()) {
      faults.invalid(amount, amount.text() + " must be 0 or more");
    }
    if (amount.key().startsWith(HUGE_PAGES)) {
      hugePages(amount, quantity, faults);
    } else if (isInWholeUnits(amount.key()) && !quantity.isWhole()) {
      faults.invalid(amount, amount.text() + " must be a whole number");
    }
  }

  /** Checks that an amount is a multiple of the page size in the resource's name. */
  private static void hugePages(FieldPath amount, Quantity quantity, FieldErrors faults) {
    Quantity size = Quantity.parse(amount.key().substring(HUGE_PAGES.length()));
    if (size == null || size.value().signum() <= 0) {
      faults.invalid(amount, "must name the size of a page, such as hugepages-2Mi");
    } else if (quantity.value().remainder(size.value()).signum() != 0) {
      faults.invalid(
          amount, amount.text() + " must be a multiple of the page size, " + size.canonical());
    }
  }

  /** Checks the key of an entry of a map of amounts. */
  public static void name(FieldPath amount, FieldErrors faults) {
    String name = amount.key();
    String complaint = Formats.qualifiedName(name);
    if (complaint != null) {
      faults.invalid(amount, complaint);
    } else if (!name.contains("/") && !STANDARD.contains(name) && !name.startsWith(HUGE_PAGES)) {
      faults.invalid(
          amount,
          MessagePhrases.quoted(name)
              + " must be cpu, memory, ephemeral-storage, hugepages-SIZE, or have a domain, such as"
              + " example.com/gpu");
    } else if (name.startsWith("requests.") && !isNative(name)) {
      faults.invalid(amount, "must not start with \"requests.\"");
    }
  }

  private static void againstLimit(
      FieldPath request, FieldPath limits, FieldPath requests, FieldErrors faults) {
    String name = request.key();
    FieldPath limit = limits.get(name);
    Quantity asked = quantity(request);
    Quantity most = quantity(limit);
    if (most == null) {
      if (isInWholeUnits(name)) {
        faults.required(limits, "must name " + name + " too, with the same amount as requests");
      }
      return;
    }
    if (asked == null) {
      return;
    }
    if (isInWholeUnits(name) && asked.compareTo(most) != 0) {
      faults.invalid(requests, name + " must equal the limit, " + most.canonical());
    } else if (asked.compareTo(most) > 0) {
      faults.invalid(
          requests,
          name + " " + asked.canonical() + " must be at most the limit, " + most.canonical());
    }
  }

  /** True for resources that cannot be shared: extended resources and huge pages. */
  private static boolean isInWholeUnits(String name) {
    return name.startsWith(HUGE_PAGES) || !isNative(name);
  }

  /** True if a resource is one of Kubernetes' own. */
  private static boolean isNative(String name) {
    return !name.contains("/") || name.contains("kubernetes.io/");
  }

  private static @Nullable Quantity quantity(FieldPath amount) {
    return amount.exists() ? Quantity.parse(amount.text()) : null;
  }
}
