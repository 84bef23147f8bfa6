package dev.stint.apiserver;

import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import java.util.List;
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
    job.putObject("status");
    DisabledFields.drop(gates, Json.object(), job);
  }

  @Override
  public void prepareUpdate(ObjectNode before, ObjectNode after) {
    DisabledFields.drop(gates, before, after);
  }

  @Override
  public List<FieldError> validateCreate(ObjectNode job) {
    return List.of();
  }

  @Override
  public List<FieldError> validateUpdate(ObjectNode before, ObjectNode after) {
    return List.of();
  }
}
