package dev.stint.apiserver.strategy;

import dev.stint.model.FeatureGates;
import dev.stint.model.Kind;
import dev.stint.model.cron.CronJobAdmission;
import dev.stint.model.cron.CronJobWarnings;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldPath;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The strategy of CronJobs; the model contains their rules. */
public final class CronJobStrategy extends PodTemplateStrategy {
  /**
   * @param allowPrivileged true if pods may have privileged containers
   */
  public CronJobStrategy(FeatureGates gates, boolean allowPrivileged) {
    super(Kind.CRON_JOB, gates, allowPrivileged);
  }

  @Override
  FieldPath podSpec(FieldPath root) {
    return root.get("spec", "jobTemplate", "spec", "template", "spec");
  }

  @Override
  List<FieldError> admitNew(ObjectNode cronJob) {
    return CronJobAdmission.create(cronJob, gates);
  }

  @Override
  List<FieldError> admitChange(ObjectNode before, ObjectNode after) {
    return CronJobAdmission.update(before, after, gates);
  }

  @Override
  public List<FieldError> updateStatus(ObjectNode before, ObjectNode after) {
    return CronJobAdmission.updateStatus(before, after, gates);
  }

  @Override
  public List<String> warnings(@Nullable ObjectNode before, ObjectNode after) {
    FieldPath root = FieldPath.root(after);
    return before == null ? CronJobWarnings.create(root) : CronJobWarnings.update(root);
  }
}
