package dev.stint.model.job;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.document.StoredForm;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.MetadataRules;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates changes of a Job.
 *
 * <pre>{@code
 * ObjectNode wanted = stored.deepCopy();
 * wanted.withObjectProperty("spec").put("completionMode", "Indexed");
 * List<FieldError> faults = JobUpdateValidation.update(stored, wanted, FeatureGates.DEFAULT);
 * // spec.completionMode: cannot be changed once the Job exists, and what else is wrong
 * }</pre>
 */
public final class JobUpdateValidation {
  /**
   * The immutable fields (KEP-3998, KEP-3850 and KEP-4368, Mutability), and the fields that these
   * depend on.
   */
  private static final List<String> IMMUTABLE =
      List.of(
          "selector",
          "completionMode",
          "podFailurePolicy",
          "successPolicy",
          "backoffLimitPerIndex",
          "managedBy");

  private JobUpdateValidation() {}

  /**
   * Checks a changed Job. Both must have their defaults.
   *
   * @return the faults; empty if the change is allowed
   */
  public static List<FieldError> update(ObjectNode before, ObjectNode after, FeatureGates gates) {
    FieldErrors faults = new FieldErrors();
    FieldPath old = FieldPath.root(before);
    FieldPath changed = FieldPath.root(after);
    MetadataRules.update(
        old.get("metadata"), changed.get("metadata"), Formats::dnsSubdomain, faults);
    GeneratedSelectorRules.check(changed, GeneratedSelectorRules.hasNewLabels(old), faults);
    JobValidation.spec(changed.get("spec"), faults);
    FieldPath stored = FieldPath.root(StoredForm.of(after, before));
    FieldPath spec = stored.get("spec");
    for (String member : IMMUTABLE) {
      unchanged(old.get("spec", member), spec.get(member), faults);
    }
    completions(old.get("spec"), spec, gates.has(Gate.ElasticIndexedJob), faults);
    TemplateChangeRules.check(old, stored, gates, faults);
    return faults.list();
  }

  private static void unchanged(FieldPath before, FieldPath after, FieldErrors faults) {
    if (!before.sameAs(after)) {
      faults.invalid(after, "field is immutable once the Job exists");
    }
  }

  /**
   * Checks elastic Indexed Jobs: completions may follow parallelism (KEP-3715, Goals). The proposal
   * requires elsewhere that they be equal before, too; Kubernetes does not.
   */
  private static void completions(
      FieldPath before, FieldPath after, boolean elastic, FieldErrors faults) {
    FieldPath completions = after.get("completions");
    if (before.get("completions").sameAs(completions)) {
      return;
    }
    if (!elastic || !JobSpecRules.isIndexed(after)) {
      faults.invalid(completions, "field is immutable once the Job exists");
    } else if (completions.exists() && !scales(after)) {
      faults.invalid(
          completions, "can only be changed together with parallelism, both having the same value");
    }
  }

  private static boolean scales(FieldPath spec) {
    return Objects.equals(spec.get("completions").number(), spec.get("parallelism").number());
  }
}
