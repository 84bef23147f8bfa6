package dev.stint.apiserver;

import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.FieldError;
import dev.stint.model.job.JobDefaults;
import dev.stint.model.job.JobValidation;
import dev.stint.model.meta.MetadataRules;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.node.ObjectNode;

/** Jobs: born without a status, which only the controller that they are managed by writes. */
final class JobStrategy implements Strategy {
  private final FeatureGates gates;

  JobStrategy(FeatureGates gates) {
    this.gates = gates;
  }

  @Override
  public Kind kind() {
    return Kind.JOB;
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
  public void prepareCreate(ObjectNode job) {
    String uid = Objects.requireNonNull(Json.text(Metadata.of(job), "uid"), "no uid");
    JobDefaults.generate(job, uid);
    JobDefaults.apply(job);
    job.putObject("status");
    DisabledFields.drop(gates, Json.object(), job);
  }

  @Override
  public void prepareUpdate(ObjectNode before, ObjectNode after) {
    JobDefaults.apply(after);
    DisabledFields.drop(gates, before, after);
  }

  @Override
  public List<FieldError> validateCreate(ObjectNode job) {
    return JobValidation.create(job, gates);
  }

  @Override
  public List<FieldError> validateUpdate(ObjectNode before, ObjectNode after) {
    Faults faults = new Faults();
    MetadataRules.update(At.root(before).get("metadata"), At.root(after).get("metadata"), faults);
    return faults.list();
  }
}
