package dev.stint.model.podsecurity;

import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Seccomp: nobody asks to be unconfined. Before 1.19, annotations said so. */
final class BaselineSeccompCheck {
  static final PodCheck CHECK =
      PodCheck.baseline(
          "seccompProfile_baseline",
          new PodCheck.Revision(0, BaselineSeccompCheck::annotations),
          new PodCheck.Revision(19, BaselineSeccompCheck::fields));

  private static final String POD_ANNOTATION = "seccomp.security.alpha.kubernetes.io/pod";
  private static final String CONTAINER_ANNOTATION =
      "container.seccomp.security.alpha.kubernetes.io/";
  private static final List<String> ALLOWED = List.of("RuntimeDefault", "Localhost");

  private BaselineSeccompCheck() {}

  private static @Nullable PolicyViolation annotations(CheckedPod pod) {
    TreeSet<String> forbidden =
        Stream.concat(
                Stream.of(POD_ANNOTATION),
                pod.containers().stream()
                    .map(container -> CONTAINER_ANNOTATION + container.get("name").text()))
            .map(pod.annotations()::entry)
            .filter(annotation -> annotation.exists() && !isAllowed(annotation.text()))
            .map(annotation -> annotation.key() + "=\"" + annotation.text() + '"')
            .collect(Collectors.toCollection(TreeSet::new));
    return forbidden.isEmpty()
        ? null
        : new PolicyViolation(
            "seccompProfile",
            ViolationText.noun("forbidden annotation", forbidden)
                + " "
                + String.join(", ", forbidden));
  }

  private static boolean isAllowed(String profile) {
    return profile.equals("runtime/default")
        || profile.equals("docker/default")
        || profile.startsWith("localhost/");
  }

  /** Returns the violation of a forbidden profile in a field; null if there is none. */
  static @Nullable PolicyViolation fields(CheckedPod pod) {
    boolean pods = isForbidden(pod.securityContext());
    List<String> containers = pod.namesWhere(BaselineSeccompCheck::isForbidden);
    if (!pods && containers.isEmpty()) {
      return null;
    }
    TreeSet<String> types = new TreeSet<>();
    pod.eachSecurityContext(context -> {
      if (isForbidden(context)) {
        types.add(context.get("seccompProfile", "type").text());
      }
    });
    return new PolicyViolation(
        "seccompProfile",
        "%s must not set securityContext.seccompProfile.type to %s"
            .formatted(ViolationText.setters(pods, containers), ViolationText.quoted(types)));
  }

  private static boolean isForbidden(FieldPath securityContext) {
    FieldPath profile = securityContext.get("seccompProfile");
    return profile.exists() && !ALLOWED.contains(profile.get("type").text());
  }
}
