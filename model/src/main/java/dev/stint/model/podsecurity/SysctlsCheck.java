package dev.stint.model.podsecurity;

import dev.stint.model.field.FieldPath;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sysctls: the safe ones, which touch no other pod. */
final class SysctlsCheck {
  private static final Set<String> SAFE =
      Set.of(
          "kernel.shm_rmid_forced",
          "net.ipv4.ip_local_port_range",
          "net.ipv4.ip_unprivileged_port_start",
          "net.ipv4.ping_group_range",
          "net.ipv4.tcp_syncookies");
  private static final Set<String> SAFE_SINCE_27 = and(SAFE, "net.ipv4.ip_local_reserved_ports");
  private static final Set<String> SAFE_SINCE_29 =
      and(
          SAFE_SINCE_27,
          "net.ipv4.tcp_fin_timeout",
          "net.ipv4.tcp_keepalive_intvl",
          "net.ipv4.tcp_keepalive_probes",
          "net.ipv4.tcp_keepalive_time");
  private static final Set<String> SAFE_SINCE_32 =
      and(SAFE_SINCE_29, "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem");

  static final PodCheck CHECK =
      PodCheck.baseline(
          "sysctls",
          new PodCheck.Revision(0, pod -> check(pod, SAFE)),
          new PodCheck.Revision(27, pod -> check(pod, SAFE_SINCE_27)),
          new PodCheck.Revision(29, pod -> check(pod, SAFE_SINCE_29)),
          new PodCheck.Revision(32, pod -> check(pod, SAFE_SINCE_32)));

  private SysctlsCheck() {}

  private static @Nullable PolicyViolation check(CheckedPod pod, Set<String> safe) {
    String forbidden =
        pod.securityContext().get("sysctls").items().stream()
            .map(sysctl -> sysctl.get("name"))
            .map(FieldPath::text)
            .filter(name -> !safe.contains(name))
            .collect(Collectors.joining(", "));
    return forbidden.isEmpty() ? null : new PolicyViolation("forbidden sysctls", forbidden);
  }

  private static Set<String> and(Set<String> safe, String... more) {
    Set<String> all = new HashSet<>(safe);
    all.addAll(List.of(more));
    return Set.copyOf(all);
  }
}
