package dev.stint.model.podsecurity;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The namespaces of the host: none is shared. */
final class HostNamespacesCheck {
  static final PodCheck CHECK =
      PodCheck.baseline("hostNamespaces", new PodCheck.Revision(0, HostNamespacesCheck::check));

  private HostNamespacesCheck() {}

  private static @Nullable PolicyViolation check(CheckedPod pod) {
    String shared =
        Stream.of("hostNetwork", "hostPID", "hostIPC")
            .filter(field -> pod.spec().get(field).isTrue())
            .map(field -> field + "=true")
            .collect(Collectors.joining(", "));
    return shared.isEmpty() ? null : new PolicyViolation("host namespaces", shared);
  }
}
