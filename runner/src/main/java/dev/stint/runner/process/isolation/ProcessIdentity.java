package dev.stint.runner.process.isolation;

import dev.stint.runner.spec.SecurityContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The identity of this program to the system, which limits the identities of its children.
 *
 * @param capabilities the effective ones, as bits
 */
public record ProcessIdentity(long user, long group, Set<Long> groups, long capabilities) {
  static final long ROOT = 0;

  /** Names in the order of their bits (capabilities(7)). */
  private static final List<String> CAPABILITIES =
      List.of(
          "chown",
          "dac_override",
          "dac_read_search",
          "fowner",
          "fsetid",
          "kill",
          "setgid",
          "setuid",
          "setpcap",
          "linux_immutable",
          "net_bind_service",
          "net_broadcast",
          "net_admin",
          "net_raw",
          "ipc_lock",
          "ipc_owner",
          "sys_module",
          "sys_rawio",
          "sys_chroot",
          "sys_ptrace",
          "sys_pacct",
          "sys_admin",
          "sys_boot",
          "sys_nice",
          "sys_resource",
          "sys_time",
          "sys_tty_config",
          "mknod",
          "lease",
          "audit_write",
          "audit_control",
          "setfcap",
          "mac_override",
          "mac_admin",
          "syslog",
          "wake_alarm",
          "block_suspend",
          "audit_read",
          "perfmon",
          "bpf",
          "checkpoint_restore");

  static ProcessIdentity own() {
    try {
      return parse(Files.readAllLines(Path.of("/proc/self/status")));
    } catch (IOException fault) {
      throw new java.io.UncheckedIOException(fault);
    }
  }

  /** Reads the lines of {@code /proc/<pid>/status}. */
  public static ProcessIdentity parse(List<String> lines) {
    Map<String, String[]> words = new HashMap<>();
    for (String line : lines) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        words.put(line.substring(0, colon), line.substring(colon + 1).strip().split("\\s+"));
      }
    }
    String[] none = {};
    return new ProcessIdentity(
        Long.parseLong(words.getOrDefault("Uid", new String[] {"0", "0"})[1]),
        Long.parseLong(words.getOrDefault("Gid", new String[] {"0", "0"})[1]),
        Arrays.stream(words.getOrDefault("Groups", none))
            .filter(word -> !word.isEmpty())
            .map(Long::valueOf)
            .collect(Collectors.toUnmodifiableSet()),
        Long.parseUnsignedLong(words.getOrDefault("CapEff", new String[] {"0"})[0], 16));
  }

  public boolean isRoot() {
    return user == ROOT;
  }

  boolean isInGroup(long asked) {
    return asked == group || groups.contains(asked);
  }

  /** True if it has the capability; {@code name} as in a pod. */
  public boolean hasCapability(String name) {
    int bit = CAPABILITIES.indexOf(SecurityContext.plain(name));
    return bit >= 0 && (capabilities & (1L << bit)) != 0;
  }

  static boolean isCapability(String capability) {
    return CAPABILITIES.contains(SecurityContext.plain(capability));
  }
}
