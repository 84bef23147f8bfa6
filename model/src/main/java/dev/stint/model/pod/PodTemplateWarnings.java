package dev.stint.model.pod;

import dev.stint.model.field.FieldPath;
import dev.stint.model.field.StrictFormats;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Warnings about valid pods and pod templates whose fields probably do not mean what was intended,
 * in Kubernetes' words. Documents have their defaults.
 */
public final class PodTemplateWarnings {
  private PodTemplateWarnings() {}

  /** Returns the warnings about the template of a Job. */
  public static List<String> ofTemplate(FieldPath template) {
    List<String> warnings = new ArrayList<>(of(template));
    warnings.addAll(AnnotationWarnings.appArmor(template));
    return warnings;
  }

  /** Returns the warnings about a new pod. */
  public static List<String> ofPod(FieldPath pod) {
    List<String> warnings = new ArrayList<>(AnnotationWarnings.appArmorOfPod(pod));
    String reasons = StrictFormats.notALabel(pod.get("metadata", "name").text());
    if (!reasons.isEmpty()) {
      warnings.add(
          "metadata.name: this is used in the Pod's hostname, which can result in surprising"
              + " behavior; a DNS label is recommended: "
              + reasons);
    }
    warnings.addAll(of(pod));
    return warnings;
  }

  private static List<String> of(FieldPath holder) {
    FieldPath spec = holder.get("spec");
    return Stream.of(
            SchedulingWarnings.nodeLabels(spec),
            AnnotationWarnings.ofPod(holder),
            VolumeWarnings.of(spec),
            FileOverlapWarnings.of(spec),
            RepeatedEntryWarnings.of(spec),
            FractionalByteWarnings.overhead(spec),
            AnnotationWarnings.ofContainers(holder),
            FractionalByteWarnings.containers(spec),
            EnvironmentWarnings.of(spec),
            PortWarnings.of(spec),
            gracePeriod(spec),
            SchedulingWarnings.podSelectors(spec),
            AddressWarnings.of(spec))
        .flatMap(List::stream)
        .toList();
  }

  /** Returns all containers of a pod in the order in which Kubernetes checks them. */
  static List<FieldPath> containers(FieldPath spec) {
    return Stream.of("initContainers", "containers", "ephemeralContainers")
        .flatMap(list -> spec.get(list).items().stream())
        .toList();
  }

  private static List<String> gracePeriod(FieldPath spec) {
    FieldPath seconds = spec.get("terminationGracePeriodSeconds");
    return seconds.count() < 0
        ? List.of(seconds + ": must be >= 0; negative values are invalid and will be treated as 1")
        : List.of();
  }
}
