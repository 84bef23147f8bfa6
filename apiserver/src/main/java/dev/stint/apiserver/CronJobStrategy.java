package dev.stint.apiserver;

import dev.stint.model.FeatureGates;
import dev.stint.model.Kind;
import dev.stint.model.cron.CronJobAdmission;
import dev.stint.model.cron.CronJobWarnings;
import dev.stint.model.field.At;
import dev.stint.model.field.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** CronJobs: what they are and may become is the model's to say. */
final class CronJobStrategy implements Strategy {
  private final FeatureGates gates;

  CronJobStrategy(FeatureGates gates) {
    this.gates = gates;
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
    return CronJobAdmission.create(cronJob, gates);
  }

  @Override
  public List<FieldError> update(ObjectNode before, ObjectNode after) {
    JsonNode spec = after.get("spec");
    if (spec != null && spec == before.get("spec")) {
      after.set("spec", spec.deepCopy());
    }
    return CronJobAdmission.update(before, after, gates);
  }

  @Override
  public List<String> warnings(@Nullable ObjectNode before, ObjectNode after) {
    At root = At.root(after);
    return before == null ? CronJobWarnings.create(root) : CronJobWarnings.update(root);
  }
}
