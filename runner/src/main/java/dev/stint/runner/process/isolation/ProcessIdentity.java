package dev.stint.runner.process.isolation;

import dev.stint.runner.proc.ProcStatus;
import dev.stint.runner.spec.SecurityContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;

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
      return of(ProcStatus.own());
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Returns the identity that a process has by its status. */
  public static ProcessIdentity of(ProcStatus status) {
    return new ProcessIdentity(
        status.user(), status.group(), status.groups(), status.capabilities());
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
