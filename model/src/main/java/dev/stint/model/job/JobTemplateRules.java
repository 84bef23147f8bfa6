package dev.stint.model.job;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.pod.PodValidation;
import java.util.List;

/** Rules of a Job's pod template. */
final class JobTemplateRules {
  private static final List<String> RESTART_POLICIES = List.of("OnFailure", "Never");

  private JobTemplateRules() {}

  static void check(FieldPath spec, FieldErrors faults) {
    PodValidation.template(spec.get("template"), faults);
    FieldPath restartPolicy = spec.get("template", "spec", "restartPolicy");
    if (restartPolicy.text().isEmpty() || restartPolicy.text().equals("Always")) {
      faults.required(
          restartPolicy, "must be Never or OnFailure: a Job's pods must be able to end");
    } else if (!RESTART_POLICIES.contains(restartPolicy.text())) {
      faults.notSupported(restartPolicy, RESTART_POLICIES);
    } else if (spec.get("podFailurePolicy").exists() && !restartPolicy.text().equals("Never")) {
      faults.invalid(restartPolicy, "must be Never with podFailurePolicy");
    }
  }
}
