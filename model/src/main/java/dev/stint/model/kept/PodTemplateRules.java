package dev.stint.model.kept;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.pod.PodValidation;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Rules of pod templates that are objects of their own. */
public final class PodTemplateRules implements KeptRules {
  @Override
  public void complete(ObjectNode object, @Nullable ObjectNode stored) {
    WorkloadDefaults.template(object);
  }

  @Override
  public void check(FieldPath root, FieldErrors faults) {
    PodValidation.template(root.get("template"), faults);
  }
}
