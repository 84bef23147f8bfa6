package dev.stint.apiserver.strategy;

import dev.stint.model.FeatureGates;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldPath;
import dev.stint.model.pod.PrivilegedContainerRules;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The common strategy of kinds that create pods from a template. */
abstract sealed class PodTemplateStrategy implements Strategy permits JobStrategy, CronJobStrategy {
  final FeatureGates gates;
  private final Kind kind;
  private final boolean allowPrivileged;

  /**
   * @param allowPrivileged true if pods may have privileged containers
   */
  PodTemplateStrategy(Kind kind, FeatureGates gates, boolean allowPrivileged) {
    this.kind = kind;
    this.gates = gates;
    this.allowPrivileged = allowPrivileged;
  }

  @Override
  public final Kind kind() {
    return kind;
  }

  @Override
  public final boolean hasStatus() {
    return true;
  }

  @Override
  public final boolean hasGeneration() {
    return true;
  }

  @Override
  public final List<FieldError> create(ObjectNode object) {
    return withPrivileges(admitNew(object), object);
  }

  /** Completes and validates a changed object. The rules change its spec, so that it owns one. */
  @Override
  public List<FieldError> update(ObjectNode before, ObjectNode after) {
    JsonNode spec = after.get("spec");
    if (spec != null && spec == before.get("spec")) {
      after.set("spec", spec.deepCopy());
    }
    return withPrivileges(admitChange(before, after), after);
  }

  private List<FieldError> withPrivileges(List<FieldError> faults, ObjectNode object) {
    return allowPrivileged
        ? faults
        : PrivilegedContainerRules.with(faults, podSpec(FieldPath.root(object)));
  }

  /** Returns the spec of the pods that an object describes. */
  abstract FieldPath podSpec(FieldPath root);

  /** Completes and validates a new object by the rules of its kind. */
  abstract List<FieldError> admitNew(ObjectNode object);

  /** Completes and validates a changed object, which owns its spec, by the rules of its kind. */
  abstract List<FieldError> admitChange(ObjectNode before, ObjectNode after);
}
