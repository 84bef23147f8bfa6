package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.field.MessagePhrases;
import dev.stint.model.meta.LabelSelectorRules;
import java.util.List;

/** Rules of {@code affinity}. */
final class AffinityRules {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final List<String> OPERATORS =
      List.of("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt");

  private AffinityRules() {}

  static void check(FieldPath affinity, FieldErrors faults) {
    node(affinity.get("nodeAffinity"), faults);
    pods(affinity.get("podAffinity"), faults);
    pods(affinity.get("podAntiAffinity"), faults);
  }

  private static void node(FieldPath affinity, FieldErrors faults) {
    FieldPath required = affinity.get(REQUIRED);
    FieldPath terms = required.get("nodeSelectorTerms");
    if (required.exists() && terms.items().isEmpty()) {
      faults.required(terms, "needs at least one term");
    }
    terms.items().forEach(term -> nodeTerm(term, true, faults));
    for (FieldPath preferred : affinity.get(PREFERRED).items()) {
      weight(preferred.get("weight"), faults);
      nodeTerm(preferred.get("preference"), false, faults);
    }
  }

  /**
   * @param strict whether values must be label values, which Kubernetes demands of requirements
   *     only
   */
  private static void nodeTerm(FieldPath term, boolean strict, FieldErrors faults) {
    for (FieldPath expression : term.get("matchExpressions").items()) {
      requirement(expression, faults);
      FieldPath key = expression.get("key");
      faults.invalidUnlessSound(key, Formats.qualifiedName(key.text()));
      if (strict) {
        expression
            .get("values")
            .items()
            .forEach(value -> faults.invalidUnlessSound(value, Formats.labelValue(value.text())));
      }
    }
    term.get("matchFields").items().forEach(field -> nodeField(field, faults));
  }

  private static void nodeField(FieldPath field, FieldErrors faults) {
    FieldPath operator = field.get("operator");
    FieldPath values = field.get("values");
    if (!operator.text().equals("In") && !operator.text().equals("NotIn")) {
      faults.invalid(operator, MessagePhrases.notOneOf(operator.text(), List.of("In", "NotIn")));
    } else if (values.items().size() != 1) {
      faults.required(values, "must have one value");
    }
    if (!field.get("key").text().equals("metadata.name")) {
      faults.invalid(field.get("key"), "must be metadata.name");
    } else {
      values
          .items()
          .forEach(name -> faults.invalidUnlessSound(name, Formats.dnsSubdomain(name.text())));
    }
  }

  private static void requirement(FieldPath expression, FieldErrors faults) {
    FieldPath operator = expression.get("operator");
    FieldPath values = expression.get("values");
    int count = values.items().size();
    switch (operator.text()) {
      case "In", "NotIn" -> {
        if (count == 0) {
          faults.required(values, "is required with operator " + operator.text());
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (count > 0) {
          faults.forbidden(values, "must be left out with operator " + operator.text());
        }
      }
      case "Gt", "Lt" -> {
        if (count != 1) {
          faults.required(values, "must have one value with operator " + operator.text());
        }
      }
      default -> faults.invalid(operator, MessagePhrases.notOneOf(operator.text(), OPERATORS));
    }
  }

  private static void pods(FieldPath affinity, FieldErrors faults) {
    affinity.get(REQUIRED).items().forEach(term -> podTerm(term, faults));
    for (FieldPath preferred : affinity.get(PREFERRED).items()) {
      weight(preferred.get("weight"), faults);
      podTerm(preferred.get("podAffinityTerm"), faults);
    }
  }

  private static void podTerm(FieldPath term, FieldErrors faults) {
    FieldPath key = term.get("topologyKey");
    if (key.isEmpty()) {
      faults.required(key, "is required");
    }
    faults.invalidUnlessSound(key, Formats.qualifiedName(key.text()));
    LabelSelectorRules.check(term.get("labelSelector"), faults);
    LabelSelectorRules.check(term.get("namespaceSelector"), faults);
    labelKeys(term, faults);
    for (FieldPath namespace : term.get("namespaces").items()) {
      String complaint = Formats.dnsLabel(namespace.text());
      if (complaint != null) {
        faults.invalid(term.get("namespace"), complaint);
      }
    }
  }

  private static void labelKeys(FieldPath term, FieldErrors faults) {
    FieldPath match = term.get("matchLabelKeys");
    FieldPath mismatch = term.get("mismatchLabelKeys");
    LabelKeyRules.check(match, term.get("labelSelector"), faults);
    LabelKeyRules.check(mismatch, term.get("labelSelector"), faults);
    for (FieldPath key : match.items()) {
      if (mismatch.items().stream().anyMatch(other -> other.text().equals(key.text()))) {
        faults.invalid(key, MessagePhrases.quoted(key.text()) + " is also in mismatchLabelKeys");
      }
    }
  }

  private static void weight(FieldPath weight, FieldErrors faults) {
    if (weight.count() < 1 || weight.count() > 100) {
      faults.invalid(weight, weight.count() + " must be from 1 to 100");
    }
  }
}
