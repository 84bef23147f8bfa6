package dev.stint.apiserver.strategy;

import dev.stint.model.FeatureGates;
import dev.stint.model.Kind;
import dev.stint.model.cron.CronJobAdmission;
import dev.stint.model.cron.CronJobWarnings;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldPath;
import dev.stint.model.pod.PrivilegedContainerRules;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The strategy of CronJobs; the model contains their rules. */
public final class CronJobStrategy implements Strategy {
  private final FeatureGates gates;
  private final boolean allowPrivileged;

  /**
   * @param allowPrivileged true if pods may have privileged containers
   */
  public CronJobStrategy(FeatureGates gates, boolean allowPrivileged) {
    this.gates = gates;
    this.allowPrivileged = allowPrivileged;
  }

  @Override
  public Kind kind() {
    return Kind.CRON_JOB;
  }

  @Override
  public boolean hasStatus() {
    return true;
  }

  @Override
  public boolean hasGeneration() {
    return true;
  }

  @Override
  public List<FieldError> create(ObjectNode cronJob) {
    return withPrivileges(CronJobAdmission.create(cronJob, gates), cronJob);
  }

  @Override
  public List<FieldError> update(ObjectNode before, ObjectNode after) {
    JsonNode spec = after.get("spec");
    if (spec != null && spec == before.get("spec")) {
      after.set("spec", spec.deepCopy());
    }
    return withPrivileges(CronJobAdmission.update(before, after, gates), after);
  }

  private List<FieldError> withPrivileges(List<FieldError> faults, ObjectNode cronJob) {
    FieldPath template = FieldPath.root(cronJob).get("spec", "jobTemplate", "spec", "template");
    return allowPrivileged ? faults : PrivilegedContainerRules.with(faults, template.get("spec"));
  }

  @Override
  public List<String> warnings(@Nullable ObjectNode before, ObjectNode after) {
    FieldPath root = FieldPath.root(after);
    return before == null ? CronJobWarnings.create(root) : CronJobWarnings.update(root);
  }
}
