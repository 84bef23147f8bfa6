package dev.stint.model.job;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.Formats;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules of {@code podFailurePolicy} (KEP-3329; {@code FailIndex}: KEP-3850, FailIndex). */
final class PodFailurePolicyRules {
  private static final int MAX_RULES = 20;
  private static final int MAX_CONDITIONS = 20;
  private static final int MAX_EXIT_CODES = 255;
  private static final String FAIL_INDEX = "FailIndex";
  private static final List<String> ACTIONS = List.of("Count", FAIL_INDEX, "FailJob", "Ignore");
  private static final List<String> OPERATORS = List.of("In", "NotIn");
  private static final List<String> STATUSES = List.of("True", "False", "Unknown");

  private PodFailurePolicyRules() {}

  static void check(At spec, Faults faults) {
    At policy = spec.get("podFailurePolicy");
    if (!policy.exists()) {
      return;
    }
    At podSpec = spec.get("template", "spec");
    List<At> rules = policy.get("rules").items();
    if (rules.size() > MAX_RULES) {
      faults.tooMany(policy.get("rules").path(), rules.size(), MAX_RULES);
    }
    Set<String> containers = containerNames(podSpec);
    for (At rule : rules) {
      action(rule.get("action"), spec.get("backoffLimitPerIndex").exists(), faults);
      requirements(rule, containers, faults);
    }
  }

  private static Set<String> containerNames(At podSpec) {
    Set<String> names = new HashSet<>();
    podSpec.get("containers").items().forEach(c -> names.add(c.get("name").text()));
    podSpec.get("initContainers").items().forEach(c -> names.add(c.get("name").text()));
    return names;
  }

  private static void action(At action, boolean perIndex, Faults faults) {
    if (action.text().isEmpty()) {
      faults.required(action, "is needed: Count, FailIndex, FailJob or Ignore");
    } else if (action.text().equals(FAIL_INDEX) && !perIndex) {
      faults.invalid(action, "FailIndex is for Jobs with backoffLimitPerIndex only");
    } else {
      faults.notSupportedUnlessIn(action, ACTIONS);
    }
  }

  private static void requirements(At rule, Set<String> containers, Faults faults) {
    At exitCodes = rule.get("onExitCodes");
    At conditions = rule.get("onPodConditions");
    if (exitCodes.exists() == !conditions.isEmpty()) {
      faults.invalid(
          rule,
          exitCodes.exists()
              ? "onExitCodes and onPodConditions exclude each other; make two rules"
              : "needs onExitCodes or onPodConditions");
    }
    if (exitCodes.exists()) {
      exitCodes(exitCodes, containers, faults);
    }
    List<At> patterns = conditions.items();
    if (patterns.size() > MAX_CONDITIONS) {
      faults.tooMany(conditions.path(), patterns.size(), MAX_CONDITIONS);
    }
    patterns.forEach(pattern -> condition(pattern, faults));
  }

  private static void exitCodes(At exitCodes, Set<String> containers, Faults faults) {
    At operator = exitCodes.get("operator");
    if (operator.text().isEmpty()) {
      faults.required(operator, "is needed: In or NotIn");
    } else {
      faults.notSupportedUnlessIn(operator, OPERATORS);
    }
    At container = exitCodes.get("containerName");
    if (container.exists() && !containers.contains(container.text())) {
      faults.invalid(
          container, "\"" + container.text() + "\" is no container or init container of the pod");
    }
    values(exitCodes.get("values"), operator.text().equals("In"), faults);
  }

  private static void values(At values, boolean in, Faults faults) {
    List<At> codes = values.items();
    if (codes.isEmpty()) {
      faults.invalid(values, "needs one exit code at least");
    } else if (codes.size() > MAX_EXIT_CODES) {
      faults.tooMany(values.path(), codes.size(), MAX_EXIT_CODES);
    }
    Set<Long> seen = new HashSet<>();
    boolean ordered = true;
    long before = Long.MIN_VALUE;
    for (At code : codes) {
      if (!seen.add(code.count())) {
        faults.duplicate(code, code.count() + " stands here twice");
      }
      if (in && code.count() == 0) {
        faults.invalid(code, "0 means success and can't be in a list with operator In");
      }
      ordered &= code.count() >= before;
      before = code.count();
    }
    if (!ordered) {
      faults.invalid(values, "must be in increasing order");
    }
  }

  private static void condition(At pattern, Faults faults) {
    faults.invalidUnlessSound(
        pattern.get("type"), Formats.qualifiedName(pattern.get("type").text()));
    At status = pattern.get("status");
    if (status.text().isEmpty()) {
      faults.required(status, "is needed: True, False or Unknown");
    } else {
      faults.notSupportedUnlessIn(status, STATUSES);
    }
  }
}
