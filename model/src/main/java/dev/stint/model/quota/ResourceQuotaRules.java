package dev.stint.model.quota;

import dev.stint.model.Quantity;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Rules of a resource quota. */
public final class ResourceQuotaRules {
  private static final List<List<String>> OPPOSITES =
      List.of(List.of("BestEffort", "NotBestEffort"), List.of("Terminating", "NotTerminating"));

  private ResourceQuotaRules() {}

  /** Checks the {@code spec} of a new or changed quota. */
  public static void check(FieldPath spec, FieldErrors faults) {
    amounts(spec.get("hard"), faults);
    scopes(spec, faults);
    selector(spec, faults);
  }

  /** Checks the {@code spec} of a changed quota. */
  public static void update(FieldPath before, FieldPath after, FieldErrors faults) {
    check(after, faults);
    if (!names(before.get("scopes")).equals(names(after.get("scopes")))) {
      faults.invalid(after.get("scopes"), "field is immutable");
    }
  }

  /** Checks a written {@code status}. */
  public static void status(FieldPath status, FieldErrors faults) {
    amounts(status.get("hard"), faults);
    amounts(status.get("used"), faults);
  }

  private static void amounts(FieldPath amounts, FieldErrors faults) {
    for (FieldPath amount : amounts.entries()) {
      name(amount, faults);
      Quantity value = Quantity.parse(amount.text());
      if (value != null && value.isNegative()) {
        faults.invalid(amount, "must be greater than or equal to 0");
      }
      if (value != null && QuotaResource.isInteger(amount.key()) && !value.isWhole()) {
        faults.invalid(amount, "must be an integer");
      }
    }
  }

  private static void name(FieldPath amount, FieldErrors faults) {
    String complaint = Formats.qualifiedName(amount.key());
    faults.invalidUnlessSound(amount, complaint);
    if (complaint == null
        && !amount.key().contains("/")
        && !QuotaResource.isStandard(amount.key())) {
      faults.invalid(amount, "must be a standard resource for quota");
    }
  }

  private static void scopes(FieldPath spec, FieldErrors faults) {
    FieldPath scopes = spec.get("scopes");
    for (FieldPath scope : scopes.items()) {
      if (!QuotaScope.ALL.contains(scope.text())) {
        faults.invalid(scopes, "unsupported scope");
      }
      unsupported(scope.text(), spec, scopes, faults);
    }
    conflicts(names(scopes), scopes, faults);
  }

  private static void selector(FieldPath spec, FieldErrors faults) {
    FieldPath required = spec.get("scopeSelector", "matchExpressions");
    Set<String> names = new HashSet<>();
    for (FieldPath requirement : required.items()) {
      String scope = requirement.get("scopeName").text();
      names.add(scope);
      if (!QuotaScope.ALL.contains(scope)) {
        faults.invalid(
            requirement.get("scopeName").reportedAt(required.get("scopeName")),
            "unsupported scope");
      }
      unsupported(scope, spec, required, faults);
      operator(requirement, required, faults);
    }
    conflicts(names, required, faults);
  }

  /** Checks an operator. Kubernetes reports faults at the list and not at its items. */
  private static void operator(FieldPath requirement, FieldPath list, FieldErrors faults) {
    FieldPath operator = requirement.get("operator").reportedAt(list.get("operator"));
    FieldPath values = requirement.get("values").reportedAt(list.get("values"));
    if (QuotaScope.PLAIN.contains(requirement.get("scopeName").text())
        && !operator.text().equals("Exists")) {
      faults.invalid(
          operator,
          "must be 'Exist' when scope is any of ResourceQuotaScopeTerminating,"
              + " ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort,"
              + " ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity");
    }
    switch (operator.text()) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          faults.required(
              values,
              "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          faults.invalid(
              values,
              "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
        }
      }
      default -> faults.invalid(operator, "not a valid selector operator");
    }
  }

  private static void unsupported(
      String scope, FieldPath spec, FieldPath place, FieldErrors faults) {
    for (FieldPath amount : spec.get("hard").entries()) {
      if (QuotaResource.isStandard(amount.key())
          && QuotaScope.ALL.contains(scope)
          && !QuotaResource.isOfScope(scope, amount.key())) {
        faults.invalid(place, "unsupported scope applied to resource");
      }
    }
  }

  private static void conflicts(Set<String> scopes, FieldPath place, FieldErrors faults) {
    for (List<String> pair : OPPOSITES) {
      if (scopes.containsAll(pair)) {
        faults.invalid(place, "conflicting scopes");
      }
    }
  }

  private static Set<String> names(FieldPath scopes) {
    return scopes.items().stream().map(FieldPath::text).collect(Collectors.toSet());
  }
}
