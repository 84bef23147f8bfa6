package dev.stint.model.podsecurity;

import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rules of a namespace's labels for pod security (Kubernetes documentation, "Pod Security
 * Admission").
 */
public final class PodSecurityLabels {
  static final String PREFIX = "pod-security.kubernetes.io/";
  static final String VERSION_SUFFIX = "-version";
  static final List<String> MODES = List.of("enforce", "audit", "warn");

  private PodSecurityLabels() {}

  /**
   * Checks the labels of a new or changed namespace. Unchanged faults may stay.
   *
   * @param before null if the namespace is new
   */
  public static void check(@Nullable FieldPath before, FieldPath after, FieldErrors faults) {
    List<FieldError> found = faults(after);
    if (before == null || !found.equals(faults(before))) {
      faults.addAll(found);
    }
  }

  private static List<FieldError> faults(FieldPath namespace) {
    FieldErrors faults = new FieldErrors();
    FieldPath labels = namespace.get("metadata", "labels");
    for (String mode : MODES) {
      FieldPath level = labels.entry(PREFIX + mode);
      if (level.exists() && PodSecurityLevel.of(level.text()) == null) {
        faults.invalid(level, "must be one of privileged, baseline, restricted");
      }
      FieldPath version = labels.entry(PREFIX + mode + VERSION_SUFFIX);
      if (version.exists() && PolicyVersion.parse(version.text()) == null) {
        faults.invalid(version, "must be \"latest\" or \"v1.x\"");
      }
    }
    return faults.list();
  }
}
