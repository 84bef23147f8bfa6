package dev.stint.runner.process.isolation;

import dev.stint.runner.process.command.ShellScripts;
import dev.stint.runner.process.user.UserDatabase;
import dev.stint.runner.spec.SecurityContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
   * Returns the start of a command line that applies it, checks that, and runs the rest in a
   * working directory, which comes next.
   *
   * @param namespaced true if the process has capabilities for its namespace that it must drop
   */
  List<String> entry(MachineCapabilities machine, boolean namespaced) {
    ProcessIdentity own = machine.identity();
    List<String> argv = new ArrayList<>(prefix(machine.known("setpriv"), own, namespaced));
    argv.addAll(List.of("/bin/sh", "-c", ShellScripts.ENTER, ShellScripts.ENTER_NAME));
    argv.add(numbers(own));
    return argv;
  }

  /**
   * Returns the numbers that its processes must have: the user's, the group's, and those of further
   * groups in order; empty if they keep this program's. setpriv takes a number for a name first, so
   * that the machine's name services decide what it means.
   */
  String numbers(ProcessIdentity own) {
    if (!own.isRoot() || keepsIdentity()) {
      return "";
    }
    Long user = asked.user();
    Long group = group();
    Stream<Long> first =
        Stream.of(user == null ? own.user() : user, group == null ? own.group() : group);
    return Stream.concat(first, asked.groups().stream().sorted())
        .map(String::valueOf)
        .collect(Collectors.joining(" "));
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

  private boolean keepsIdentity() {
    return asked.user() == null && asked.group() == null && asked.groups().isEmpty();
  }

  /** Returns the group, which is the user's own if none is asked for; null for this program's. */
  private @Nullable Long group() {
    Long user = asked.user();
    Long group = asked.group();
    return group == null && user != null ? Long.valueOf(UserDatabase.group(user)) : group;
  }

  private void identity(List<String> options) {
    if (keepsIdentity()) {
      return;
    }
    if (asked.user() != null) {
      options.add("--reuid=" + asked.user());
    }
    Long group = group();
    if (group != null) {
      options.add("--regid=" + group);
    }
    Set<Long> groups = asked.groups();
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
