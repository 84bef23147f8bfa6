package dev.stint.model.support;

import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rules of a namespace's labels for pod security (Kubernetes documentation, "Pod Security
 * Admission"). Pod security itself is not enforced.
 */
public final class PodSecurityLabels {
  private static final String PREFIX = "pod-security.kubernetes.io/";
  private static final List<String> MODES = List.of("enforce", "audit", "warn");
  private static final List<String> LEVELS = List.of("privileged", "baseline", "restricted");
  private static final Pattern VERSION = Pattern.compile("latest|v1\\.(0|[1-9][0-9]*)");

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
      if (level.exists() && !LEVELS.contains(level.text())) {
        faults.invalid(level, "must be one of " + String.join(", ", LEVELS));
      }
      FieldPath version = labels.entry(PREFIX + mode + "-version");
      if (version.exists() && !VERSION.matcher(version.text()).matches()) {
        faults.invalid(version, "must be \"latest\" or \"v1.x\"");
      }
    }
    return faults.list();
  }
}
