package dev.stint.model.job;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Rules of {@code podFailurePolicy} (KEP-3329; {@code FailIndex}: KEP-3850, FailIndex; {@code
 * name}: KEP-4443, Validation).
 */
final class PodFailurePolicyRules {
  private static final int MAX_RULES = 20;
  private static final int MAX_CONDITIONS = 20;
  private static final int MAX_EXIT_CODES = 255;
  private static final int LONGEST_REASON = 128;
  private static final String FAIL_INDEX = "FailIndex";

  /** The member of a rule that the gate {@code PodFailurePolicyName} guards. */
  static final String NAME = "name";

  /** A name that ends a reason: the characters of reasons. */
  private static final Pattern NAME_FORMAT = Pattern.compile("[A-Za-z0-9_,:]*[A-Za-z0-9_]");

  /** An index as it ends a reason, without leading zeros. */
  private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,8}");

  private static final List<String> ACTIONS = List.of("Count", FAIL_INDEX, "FailJob", "Ignore");
  private static final List<String> OPERATORS = List.of("In", "NotIn");
  private static final List<String> STATUSES = List.of("True", "False", "Unknown");

  private PodFailurePolicyRules() {}

  static void check(FieldPath spec, FieldErrors faults) {
    FieldPath policy = spec.get("podFailurePolicy");
    if (!policy.exists()) {
      return;
    }
    FieldPath podSpec = spec.get("template", "spec");
    List<FieldPath> rules = policy.get("rules").items();
    if (rules.size() > MAX_RULES) {
      faults.tooMany(policy.get("rules").path(), rules.size(), MAX_RULES);
    }
    Set<String> containers = containerNames(podSpec);
    for (FieldPath rule : rules) {
      action(rule.get("action"), spec.get("backoffLimitPerIndex").exists(), faults);
      requirements(rule, containers, faults);
    }
    names(rules, faults);
  }

  private static void names(List<FieldPath> rules, FieldErrors faults) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < rules.size(); i++) {
      FieldPath name = rules.get(i).get(NAME);
      if (name.text().isEmpty()) {
        continue;
      }
      name(name, faults);
      if (isIndexOfOther(name.text(), i, rules.size())) {
        faults.invalid(name, "is the index of another rule, which is its name by default");
      }
      if (!seen.add(name.text())) {
        faults.duplicate(name, "\"" + name.text() + "\" occurs twice");
      }
    }
  }

  private static void name(FieldPath name, FieldErrors faults) {
    int longest = LONGEST_REASON - PodFailurePolicy.reason("").length();
    if (name.text().length() > longest) {
      faults.invalid(name, "must have at most " + longest + " characters, to fit into a reason");
    }
    if (!NAME_FORMAT.matcher(name.text()).matches()) {
      faults.invalid(
          name,
          "must consist of letters, digits, '_', ',' and ':', and not end with ',' or ':', since it"
              + " ends the reason of a failed Job");
    }
  }

  private static boolean isIndexOfOther(String name, int own, int rules) {
    if (!INDEX.matcher(name).matches()) {
      return false;
    }
    int index = Integer.parseInt(name);
    return index < rules && index != own;
  }

  private static Set<String> containerNames(FieldPath podSpec) {
    Set<String> names = new HashSet<>();
    podSpec.get("containers").items().forEach(c -> names.add(c.get("name").text()));
    podSpec.get("initContainers").items().forEach(c -> names.add(c.get("name").text()));
    return names;
  }

  private static void action(FieldPath action, boolean perIndex, FieldErrors faults) {
    if (action.text().isEmpty()) {
      faults.required(action, "is required: Count, FailIndex, FailJob or Ignore");
    } else if (action.text().equals(FAIL_INDEX) && !perIndex) {
      faults.invalid(action, "FailIndex is only allowed for Jobs with backoffLimitPerIndex");
    } else {
      faults.notSupportedUnlessIn(action, ACTIONS);
    }
  }

  private static void requirements(FieldPath rule, Set<String> containers, FieldErrors faults) {
    FieldPath exitCodes = rule.get("onExitCodes");
    FieldPath conditions = rule.get("onPodConditions");
    if (exitCodes.exists() == !conditions.isEmpty()) {
      faults.invalid(
          rule,
          exitCodes.exists()
              ? "onExitCodes and onPodConditions are mutually exclusive; write two rules"
              : "needs onExitCodes or onPodConditions");
    }
    if (exitCodes.exists()) {
      exitCodes(exitCodes, containers, faults);
    }
    List<FieldPath> patterns = conditions.items();
    if (patterns.size() > MAX_CONDITIONS) {
      faults.tooMany(conditions.path(), patterns.size(), MAX_CONDITIONS);
    }
    patterns.forEach(pattern -> condition(pattern, faults));
  }

  private static void exitCodes(FieldPath exitCodes, Set<String> containers, FieldErrors faults) {
    FieldPath operator = exitCodes.get("operator");
    if (operator.text().isEmpty()) {
      faults.required(operator, "is required: In or NotIn");
    } else {
      faults.notSupportedUnlessIn(operator, OPERATORS);
    }
    FieldPath container = exitCodes.get("containerName");
    if (container.exists() && !containers.contains(container.text())) {
      faults.invalid(
          container,
          "\"" + container.text() + "\" is not a container or init container of the pod");
    }
    values(exitCodes.get("values"), operator.text().equals("In"), faults);
  }

  private static void values(FieldPath values, boolean in, FieldErrors faults) {
    List<FieldPath> codes = values.items();
    if (codes.isEmpty()) {
      faults.invalid(values, "needs at least one exit code");
    } else if (codes.size() > MAX_EXIT_CODES) {
      faults.tooMany(values.path(), codes.size(), MAX_EXIT_CODES);
    }
    Set<Long> seen = new HashSet<>();
    boolean ordered = true;
    long before = Long.MIN_VALUE;
    for (FieldPath code : codes) {
      if (!seen.add(code.count())) {
        faults.duplicate(code, code.count() + " occurs twice");
      }
      if (in && code.count() == 0) {
        faults.invalid(code, "0 means success and cannot be in a list with operator In");
      }
      ordered &= code.count() >= before;
      before = code.count();
    }
    if (!ordered) {
      faults.invalid(values, "must be in increasing order");
    }
  }

  private static void condition(FieldPath pattern, FieldErrors faults) {
    faults.invalidUnlessSound(
        pattern.get("type"), Formats.qualifiedName(pattern.get("type").text()));
    FieldPath status = pattern.get("status");
    if (status.text().isEmpty()) {
      faults.required(status, "is required: True, False or Unknown");
    } else {
      faults.notSupportedUnlessIn(status, STATUSES);
    }
  }
}
