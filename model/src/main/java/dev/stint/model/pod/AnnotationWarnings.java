package dev.stint.model.pod;

import dev.stint.model.field.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Warnings about annotations that are replaced by fields. */
final class AnnotationWarnings {
  private static final String SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
  private static final String SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";
  private static final String APP_ARMOR = AppArmorAnnotations.PREFIX;
  private static final Map<String, String> REPLACED =
      Map.of(
          "scheduler.alpha.kubernetes.io/critical-pod", useField("v1.16", "priorityClassName"),
          "security.alpha.kubernetes.io/sysctls", useField("v1.11", "sysctls"),
          "security.alpha.kubernetes.io/unsafe-sysctls", useField("v1.11", "sysctls"));

  private AnnotationWarnings() {}

  private static String useField(String since, String field) {
    return "non-functional in " + since + "+; use the \"" + field + "\" field instead";
  }

  /** Returns warnings about annotations for the pod as a whole. */
  static List<String> ofPod(FieldPath holder) {
    List<String> warnings = new ArrayList<>();
    for (FieldPath annotation : annotations(holder).entries()) {
      String instead = REPLACED.get(annotation.key());
      if (instead != null) {
        warnings.add(annotation + ": " + instead);
      }
    }
    if (!holder.get("spec", "securityContext", "seccompProfile").exists()) {
      seccomp(holder, SECCOMP_POD, warnings);
    }
    return warnings;
  }

  /** Returns warnings about annotations for one container. */
  static List<String> ofContainers(FieldPath holder) {
    List<String> warnings = new ArrayList<>();
    for (FieldPath container : PodTemplateWarnings.containers(holder.get("spec"))) {
      if (!container.get("securityContext", "seccompProfile").exists()) {
        seccomp(holder, SECCOMP_CONTAINER + container.get("name").text(), warnings);
      }
    }
    return warnings;
  }

  /** Returns warnings about AppArmor annotations without an {@code appArmorProfile}. */
  static List<String> appArmor(FieldPath holder) {
    List<String> warnings = new ArrayList<>();
    if (holder.get("spec", "securityContext", "appArmorProfile").exists()) {
      return warnings;
    }
    for (FieldPath container : PodTemplateWarnings.containers(holder.get("spec"))) {
      FieldPath annotation = annotations(holder).entry(APP_ARMOR + container.get("name").text());
      if (annotation.exists() && !container.get("securityContext", "appArmorProfile").exists()) {
        warnings.add(appArmorField(annotation));
      }
    }
    return warnings;
  }

  /**
   * Returns warnings about annotations that set the AppArmor profiles of a new pod's containers.
   */
  static List<String> appArmorOfPod(FieldPath pod) {
    FieldPath annotations = annotations(pod);
    return PodTemplateWarnings.containers(pod.get("spec")).stream()
        .filter(container -> AppArmorAnnotations.agrees(annotations, container))
        .map(container -> annotations.entry(APP_ARMOR + container.get("name").text()))
        .map(AnnotationWarnings::appArmorField)
        .toList();
  }

  private static String appArmorField(FieldPath annotation) {
    return annotation + ": deprecated since v1.30; use the \"appArmorProfile\" field instead";
  }

  private static void seccomp(FieldPath holder, String key, List<String> warnings) {
    FieldPath annotation = annotations(holder).entry(key);
    if (annotation.exists()) {
      warnings.add(annotation + ": " + useField("v1.27", "seccompProfile"));
    }
  }

  private static FieldPath annotations(FieldPath holder) {
    return holder.get("metadata", "annotations");
  }
}
