package dev.stint.model.pod;

import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.MetadataRules;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Validates pods and pod templates. Both must have their defaults ({@link PodDefaults}). */
public final class PodValidation {
  private PodValidation() {}

  /** Checks a new pod. */
  public static List<FieldError> create(ObjectNode pod) {
    FieldErrors faults = new FieldErrors();
    FieldPath root = FieldPath.root(pod);
    MetadataRules.create(root.get("metadata"), Formats::dnsSubdomain, faults);
    PodSpecRules.check(root.get("spec"), root.get("metadata", "name").text(), faults);
    PodOnlyRules.create(root.get("spec"), faults);
    AppArmorAnnotations.check(root, faults);
    PodAnnotationRules.check(root.get("metadata"), root, "metadata.annotations", faults);
    PodSpecRules.restartPolicy(root.get("spec", "restartPolicy"), faults);
    return faults.list();
  }

  /**
   * Checks a new pod whose {@code spec}, apart from {@code hostname}, is that of a pod that passed
   * {@link #create}.
   */
  public static List<FieldError> createAlike(ObjectNode pod) {
    FieldErrors faults = new FieldErrors();
    FieldPath root = FieldPath.root(pod);
    MetadataRules.create(root.get("metadata"), Formats::dnsSubdomain, faults);
    PodSpecRules.hostname(root.get("spec", "hostname"), faults);
    PodAnnotationRules.check(root.get("metadata"), root, "metadata.annotations", faults);
    return faults.list();
  }

  /**
   * Checks a pod template, its labels and annotations included. The caller checks its {@code
   * restartPolicy}, since the valid ones depend on the pods' purpose.
   */
  public static void template(FieldPath template, FieldErrors faults) {
    MetadataRules.template(template, faults);
    FieldPath spec = template.get("spec");
    PodSpecRules.check(spec, null, faults);
    PodAnnotationRules.check(
        template.get("metadata"), template, template.path() + ".annotations", faults);
    FieldPath ephemeral = spec.get("ephemeralContainers");
    if (!ephemeral.isEmpty()) {
      faults.forbidden(ephemeral, "cannot be in a template; they are added to running pods");
    }
  }
}
