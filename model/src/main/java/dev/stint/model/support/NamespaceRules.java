package dev.stint.model.support;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.MetadataRules;

/** Rules of a Namespace's {@code spec}. */
public final class NamespaceRules {
  private NamespaceRules() {}

  /** Checks the finalizers of a namespace; Kubernetes reports faults at the list. */
  public static void finalizers(FieldPath finalizers, FieldErrors faults) {
    for (FieldPath item : finalizers.items()) {
      FieldPath finalizer = item.reportedAt(finalizers);
      faults.invalidUnlessSound(finalizer, Formats.qualifiedName(finalizer.text()));
      MetadataRules.finalizerDomain(finalizer.text(), finalizer, faults);
    }
  }
}
