package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.Formats;
import dev.stint.model.field.Words;
import dev.stint.model.meta.LabelSelectorRules;
import java.util.List;

/** Rules of {@code affinity}. */
final class AffinityRules {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final List<String> OPERATORS =
      List.of("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt");

  private AffinityRules() {}

  static void check(At affinity, Faults faults) {
    node(affinity.get("nodeAffinity"), faults);
    pods(affinity.get("podAffinity"), faults);
    pods(affinity.get("podAntiAffinity"), faults);
  }

  private static void node(At affinity, Faults faults) {
    At required = affinity.get(REQUIRED);
    At terms = required.get("nodeSelectorTerms");
    if (required.exists() && terms.items().isEmpty()) {
      faults.required(terms, "needs one term at least");
    }
    terms.items().forEach(term -> nodeTerm(term, true, faults));
    for (At preferred : affinity.get(PREFERRED).items()) {
      weight(preferred.get("weight"), faults);
      nodeTerm(preferred.get("preference"), false, faults);
    }
  }

  /**
   * @param strict whether values must be label values, which Kubernetes asks of requirements only
   */
  private static void nodeTerm(At term, boolean strict, Faults faults) {
    for (At expression : term.get("matchExpressions").items()) {
      requirement(expression, faults);
      At key = expression.get("key");
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

  private static void nodeField(At field, Faults faults) {
    At operator = field.get("operator");
    At values = field.get("values");
    if (!operator.text().equals("In") && !operator.text().equals("NotIn")) {
      faults.invalid(operator, Words.notOneOf(operator.text(), List.of("In", "NotIn")));
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

  private static void requirement(At expression, Faults faults) {
    At operator = expression.get("operator");
    At values = expression.get("values");
    int count = values.items().size();
    switch (operator.text()) {
      case "In", "NotIn" -> {
        if (count == 0) {
          faults.required(values, "is needed with operator " + operator.text());
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
      default -> faults.invalid(operator, Words.notOneOf(operator.text(), OPERATORS));
    }
  }

  private static void pods(At affinity, Faults faults) {
    affinity.get(REQUIRED).items().forEach(term -> podTerm(term, faults));
    for (At preferred : affinity.get(PREFERRED).items()) {
      weight(preferred.get("weight"), faults);
      podTerm(preferred.get("podAffinityTerm"), faults);
    }
  }

  private static void podTerm(At term, Faults faults) {
    At key = term.get("topologyKey");
    if (key.isEmpty()) {
      faults.required(key, "is needed");
    }
    faults.invalidUnlessSound(key, Formats.qualifiedName(key.text()));
    LabelSelectorRules.check(term.get("labelSelector"), faults);
    LabelSelectorRules.check(term.get("namespaceSelector"), faults);
    labelKeys(term, faults);
    for (At namespace : term.get("namespaces").items()) {
      String complaint = Formats.dnsLabel(namespace.text());
      if (complaint != null) {
        faults.invalid(term.get("namespace"), complaint);
      }
    }
  }

  private static void labelKeys(At term, Faults faults) {
    At match = term.get("matchLabelKeys");
    At mismatch = term.get("mismatchLabelKeys");
    LabelKeyRules.check(match, term.get("labelSelector"), faults);
    LabelKeyRules.check(mismatch, term.get("labelSelector"), faults);
    for (At key : match.items()) {
      if (mismatch.items().stream().anyMatch(other -> other.text().equals(key.text()))) {
        faults.invalid(key, Words.quoted(key.text()) + " is in mismatchLabelKeys too");
      }
    }
  }

  private static void weight(At weight, Faults faults) {
    if (weight.count() < 1 || weight.count() > 100) {
      faults.invalid(weight, weight.count() + " must be from 1 to 100");
    }
  }
}
