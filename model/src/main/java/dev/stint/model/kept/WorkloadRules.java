package dev.stint.model.kept;

import dev.stint.model.Json;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.meta.LabelSelectorRules;
import dev.stint.model.pod.PodValidation;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Rules of kinds with a selector, a number of replicas and a pod template. */
public final class WorkloadRules implements KeptRules {
  public static final KeptRules DEPLOYMENTS =
      new WorkloadRules(WorkloadDefaults::deployment, List.of("selector"));
  public static final KeptRules REPLICA_SETS =
      new WorkloadRules(
          spec -> {
            WorkloadDefaults.replicas(spec);
            WorkloadDefaults.template(spec);
          },
          List.of("selector"));
  public static final KeptRules STATEFUL_SETS =
      new WorkloadRules(
          WorkloadDefaults::statefulSet,
          List.of("selector", "serviceName", "podManagementPolicy", "volumeClaimTemplates"));
  public static final KeptRules DAEMON_SETS =
      new WorkloadRules(WorkloadDefaults::daemonSet, List.of("selector"));

  public static final KeptRules REPLICATION_CONTROLLERS =
      new DefaultRules((object, _) -> WorkloadDefaults.replicationController(object));

  private final Consumer<ObjectNode> defaults;
  private final List<String> fixed;

  /**
   * @param defaults fills in the spec
   * @param fixed the members of the spec that never change
   */
  private WorkloadRules(Consumer<ObjectNode> defaults, List<String> fixed) {
    this.defaults = defaults;
    this.fixed = fixed;
  }

  @Override
  public void complete(ObjectNode object, @Nullable ObjectNode stored) {
    ObjectNode spec = Json.objectAt(object, "spec");
    if (spec != null) {
      defaults.accept(spec);
    }
  }

  @Override
  public void check(FieldPath root, FieldErrors faults) {
    FieldPath spec = root.get("spec");
    for (String count : List.of("replicas", "minReadySeconds", "revisionHistoryLimit")) {
      faults.invalidIfNegative(spec.get(count));
    }
    PodValidation.template(spec.get("template"), faults);
    FieldPath restartPolicy = spec.get("template", "spec", "restartPolicy");
    if (!restartPolicy.text().equals("Always")) {
      faults.notSupported(restartPolicy, List.of("Always"));
    }
    selector(spec, faults);
  }

  private static void selector(FieldPath spec, FieldErrors faults) {
    FieldPath selector = spec.get("selector");
    if (!selector.exists()) {
      return;
    }
    if (selector.get("matchLabels").isEmpty() && selector.get("matchExpressions").isEmpty()) {
      faults.invalid(selector, "empty selector is invalid");
      return;
    }
    LabelSelectorRules.matchesTemplate(spec, faults);
  }

  @Override
  public void checkChange(FieldPath before, FieldPath after, FieldErrors faults) {
    fixed.forEach(member ->
        KeptRules.unchanged(before.get("spec", member), after.get("spec", member), faults));
  }
}
