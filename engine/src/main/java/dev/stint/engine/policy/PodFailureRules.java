package dev.stint.engine.policy;

import dev.stint.engine.pod.PodView;
import dev.stint.model.job.PodFailurePolicy;
import dev.stint.model.job.PodFailurePolicy.Action;
import dev.stint.model.job.PodFailurePolicy.OnExitCodes;
import dev.stint.model.job.PodFailurePolicy.OnPodCondition;
import dev.stint.model.job.PodFailurePolicy.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pod failure policy (KEP-3329): the meaning of one pod's failure. The first rule that matches
 * decides; if none does, the failure counts.
 */
public final class PodFailureRules {
  /** The outcome if no rule matches. */
  public static final RuleMatch COUNT = new RuleMatch(Action.Count, "", "");

  private PodFailureRules() {}

  /**
   * The meaning of a failure.
   *
   * @param rule the name or index of the rule that matched; empty if none did
   * @param message that of the Job's condition, for {@code FailJob}
   */
  public record RuleMatch(Action action, String rule, String message) {}

  /**
   * Evaluates the rules for a failed pod.
   *
   * @param perIndex whether {@code FailIndex} applies; if it does not, its rules are skipped
   */
  public static RuleMatch evaluate(
      @Nullable PodFailurePolicy policy, PodView pod, boolean perIndex) {
    List<Rule> rules = policy == null ? List.of() : policy.rules();
    for (int i = 0; i < rules.size(); i++) {
      Rule rule = rules.get(i);
      if (rule.action() == Action.FailIndex && !perIndex) {
        continue;
      }
      String match = match(rule, pod);
      if (match != null) {
        String pods = "Pod " + pod.namespace() + "/" + pod.name();
        String message = pods + " " + match + ", matching " + rule.action() + " rule at index " + i;
        return new RuleMatch(rule.action(), rule.name(), message);
      }
    }
    return COUNT;
  }

  private static @Nullable String match(Rule rule, PodView pod) {
    OnExitCodes onExitCodes = rule.onExitCodes();
    return onExitCodes != null
        ? matchExit(onExitCodes, pod)
        : matchCondition(rule.onPodConditions(), pod);
  }

  private static @Nullable String matchExit(OnExitCodes wanted, PodView pod) {
    for (PodView.ContainerExit exit : pod.exits()) {
      boolean named =
          wanted.containerName() == null || wanted.containerName().equals(exit.container());
      if (named && wanted.values().contains(exit.exitCode()) == wanted.in()) {
        return "failed: container " + exit.container() + " exited with code " + exit.exitCode();
      }
    }
    return null;
  }

  private static @Nullable String matchCondition(List<OnPodCondition> wanted, PodView pod) {
    for (PodView.Condition condition : pod.conditions()) {
      if (wanted.contains(new OnPodCondition(condition.type(), condition.status()))) {
        return "has condition " + condition.type();
      }
    }
    return null;
  }
}
