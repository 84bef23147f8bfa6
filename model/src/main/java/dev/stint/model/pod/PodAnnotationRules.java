package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.MessagePhrases;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Rules of annotations with a meaning for pods. */
final class PodAnnotationRules {
  private static final String APP_ARMOR = AppArmorAnnotations.PREFIX;
  private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
  private static final String MIRROR = "kubernetes.io/config.mirror";

  private PodAnnotationRules() {}

  /**
   * @param holder a pod or a template
   * @param path the path at which faults of the annotations are reported
   */
  static void check(FieldPath metadata, FieldPath holder, String path, FieldErrors faults) {
    for (FieldPath annotation : metadata.get("annotations").entries()) {
      String key = annotation.key();
      String where = path + "[" + key + "]";
      if (key.equals(DELETION_COST) && !isInt32(annotation.text())) {
        faults.invalid(
            where, MessagePhrases.quoted(annotation.text()) + " must be a 32-bit integer");
      } else if (key.equals(MIRROR) && holder.get("spec", "nodeName").isEmpty()) {
        faults.invalid(where, "is only allowed for pods with a nodeName");
      } else if (key.startsWith(APP_ARMOR)) {
        appArmor(key.substring(APP_ARMOR.length()), annotation.text(), where, holder, faults);
      }
    }
  }

  private static void appArmor(
      String container, String profile, String where, FieldPath holder, FieldErrors faults) {
    Set<String> names =
        Stream.of("initContainers", "containers", "ephemeralContainers")
            .flatMap(list -> holder.get("spec", list).items().stream())
            .map(one -> one.get("name").text())
            .collect(Collectors.toSet());
    if (!names.contains(container)) {
      faults.invalid(where, MessagePhrases.quoted(container) + " is not a container of the pod");
    }
    boolean known = Set.of("", "runtime/default", "unconfined").contains(profile);
    if (!known && !profile.startsWith("localhost/")) {
      faults.invalid(where, "must be runtime/default, unconfined or localhost/PROFILE");
    }
  }

  /** True for the canonical form: no plus sign, no leading zeros. */
  private static boolean isInt32(String text) {
    try {
      return Integer.toString(Integer.parseInt(text)).equals(text);
    } catch (NumberFormatException notANumber) {
      return false;
    }
  }
}
