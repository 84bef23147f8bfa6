package dev.stint.model.job;

import dev.stint.model.FeatureGates;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.LabelSelectorRules;
import dev.stint.model.meta.MetadataRules;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates new Jobs. All faults are reported at once.
 *
 * <pre>{@code
 * JobValidation.create(job, FeatureGates.DEFAULT)
 *     .forEach(fault -> System.err.println(fault.path() + ": " + fault.message()));
 * }</pre>
 */
public final class JobValidation {
  private JobValidation() {}

  /**
   * Checks a Job that has its defaults and its generated labels ({@link JobDefaults}).
   *
   * @return the faults; empty if the Job is valid
   */
  public static List<FieldError> create(ObjectNode job, FeatureGates gates) {
    FieldErrors faults = new FieldErrors();
    FieldPath root = FieldPath.root(job);
    MetadataRules.create(root.get("metadata"), Formats::dnsSubdomain, faults);
    GeneratedSelectorRules.check(root, true, faults);
    spec(root.get("spec"), faults);
    IndexedJobRules.podNames(root, faults);
    return faults.list();
  }

  /** Checks the rules of {@code spec} for new and for changed Jobs. */
  public static void spec(FieldPath spec, FieldErrors faults) {
    JobSpecRules.check(spec, faults);
    LabelSelectorRules.matchesTemplate(spec, faults);
    JobTemplateRules.check(spec, faults);
  }

  /** Checks the rules of {@code spec} of a Job template, whose selector does not exist yet. */
  public static void templateSpec(FieldPath spec, FieldErrors faults) {
    JobSpecRules.check(spec, faults);
    JobTemplateRules.check(spec, faults);
  }
}
