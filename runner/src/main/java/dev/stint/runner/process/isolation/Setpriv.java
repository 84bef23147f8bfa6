package dev.stint.runner.process.isolation;

import dev.stint.runner.process.user.UserDatabase;
import dev.stint.runner.spec.SecurityContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Applies a {@code securityContext} to a process by {@code setpriv}. */
public record Setpriv(SecurityContext asked) {
  /**
   * Returns the start of a command line that applies it to the rest; empty if it asks for nothing.
   *
   * @param setpriv the program of that name
   * @param own this program's identity
   * @param namespaced true if the process has capabilities for its namespace that it must drop
   */
  public List<String> prefix(String setpriv, ProcessIdentity own, boolean namespaced) {
    List<String> options = new ArrayList<>();
    if (own.isRoot()) {
      identity(options);
      capabilities(options);
    } else if (namespaced) {
      options.add("--inh-caps=-all");
      options.add("--ambient-caps=-all");
    }
    if (mayNotGainPrivileges(own)) {
      options.add("--no-new-privs");
    }
    if (options.isEmpty()) {
      return List.of();
    }
    options.addFirst(setpriv);
    options.add("--");
    return options;
  }

  /**
   * True if programs such as {@code su} give its processes no privileges. A pod of another user
   * must not gain those of root: it can mount volumes over the files that such programs trust. A
   * process that is not root has no capabilities; if some are to be dropped, it gets none from
   * other programs, either.
   */
  private boolean mayNotGainPrivileges(ProcessIdentity own) {
    return asked.noNewPrivileges() || (own.isRoot() ? isOtherUser(own) : !asked.drop().isEmpty());
  }

  /** True if its processes have another user than this program. */
  boolean isOtherUser(ProcessIdentity own) {
    Long user = asked.user();
    return user != null && user != own.user();
  }

  private void identity(List<String> options) {
    Long user = asked.user();
    Long group = asked.group();
    Set<Long> groups = asked.groups();
    if (user == null && group == null && groups.isEmpty()) {
      return;
    }
    if (user != null) {
      options.add("--reuid=" + user);
    }
    Long own = group == null && user != null ? Long.valueOf(UserDatabase.group(user)) : group;
    if (own != null) {
      options.add("--regid=" + own);
    }
    options.add(
        groups.isEmpty()
            ? "--clear-groups"
            : "--groups=" + groups.stream().map(String::valueOf).collect(Collectors.joining(",")));
  }

  private void capabilities(List<String> options) {
    List<String> drop = asked.drop();
    if (drop.isEmpty()) {
      return;
    }
    String less = drop.stream().map(name -> "-" + name).collect(Collectors.joining(","));
    String more =
        drop.contains(SecurityContext.ALL)
            ? asked.add().stream().map(name -> ",+" + name).collect(Collectors.joining())
            : "";
    options.add("--bounding-set=" + less + more);
    options.add("--inh-caps=" + less);
  }
}
