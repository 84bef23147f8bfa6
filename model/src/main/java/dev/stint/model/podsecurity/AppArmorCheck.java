package dev.stint.model.podsecurity;

import dev.stint.model.field.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** AppArmor: the runtime's profile or one of the node's, in fields and in annotations. */
final class AppArmorCheck {
  static final PodCheck CHECK =
      PodCheck.baseline("appArmorProfile", new PodCheck.Revision(0, AppArmorCheck::check));

  private static final String ANNOTATION = "container.apparmor.security.beta.kubernetes.io/";
  private static final List<String> ALLOWED = List.of("RuntimeDefault", "Localhost");

  private AppArmorCheck() {}

  private static @Nullable PolicyViolation check(CheckedPod pod) {
    boolean pods = isForbidden(pod.securityContext());
    List<String> containers = pod.namesWhere(AppArmorCheck::isForbidden);
    TreeSet<String> values = new TreeSet<>();
    pod.eachSecurityContext(context -> {
      if (isForbidden(context)) {
        values.add(type(context).text());
      }
    });
    List<String> annotations = annotations(pod);
    values.addAll(annotations);
    if (values.isEmpty()) {
      return null;
    }
    List<String> setters = new ArrayList<>();
    if (pods || !containers.isEmpty()) {
      setters.add(ViolationText.setters(pods, containers));
    }
    if (!annotations.isEmpty()) {
      setters.add(ViolationText.noun("annotation", annotations));
    }
    return new PolicyViolation(
        ViolationText.noun("forbidden AppArmor profile", values),
        String.join(" and ", setters)
            + " must not set AppArmor profile type to "
            + ViolationText.quoted(values));
  }

  private static FieldPath type(FieldPath securityContext) {
    return securityContext.get("appArmorProfile", "type");
  }

  private static boolean isForbidden(FieldPath securityContext) {
    return securityContext.get("appArmorProfile").exists()
        && !ALLOWED.contains(type(securityContext).text());
  }

  private static List<String> annotations(CheckedPod pod) {
    return pod.annotations().entries().stream()
        .filter(
            annotation -> annotation.key().startsWith(ANNOTATION) && !isAllowed(annotation.text()))
        .map(annotation -> annotation.key() + "=\"" + annotation.text() + '"')
        .toList();
  }

  private static boolean isAllowed(String profile) {
    return profile.isEmpty()
        || profile.equals("runtime/default")
        || profile.startsWith("localhost/");
  }
}
