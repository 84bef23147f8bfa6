package dev.stint.runner.process;

import dev.stint.runner.process.command.Command;
import dev.stint.runner.process.command.ResourceExhaustion;
import java.io.IOException;

/** The result of one try to start the process of an attempt. */
sealed interface LaunchResult {
  /**
   * The process runs.
   *
   * @param group its process group
   */
  record Launched(int group) implements LaunchResult {}

  /** Something that may pass was in the way, such as too few resources. */
  record Hindered(String why) implements LaunchResult {}

  /**
   * An input is missing that may still come.
   *
   * @param reason the waiting reason of the container, as a kubelet words it
   */
  record NotYet(String reason, String message) implements LaunchResult {}

  /** It cannot be started. */
  record Impossible(String message) implements LaunchResult {}

  /** Returns the result of a launch that returned a process group or a negated errno. */
  static LaunchResult of(int groupOrErrno) {
    if (groupOrErrno > 0) {
      return new Launched(groupOrErrno);
    }
    String errno = "errno " + -groupOrErrno;
    return ResourceExhaustion.isCause(-groupOrErrno)
        ? new Hindered(errno)
        : new Impossible("cannot run the command: " + errno);
  }

  /**
   * Returns the result of a try that failed.
   *
   * @param first true if nothing was in the way before: then every fault of a file may pass
   * @throws IllegalStateException if the fault is ours
   */
  static LaunchResult of(Exception fault, boolean first) {
    return switch (fault) {
      case Command.NotYetStartable input ->
          new NotYet(input.reason(), String.valueOf(input.getMessage()));
      case Command.NotStartable command -> new Impossible(String.valueOf(command.getMessage()));
      case IOException disk ->
          first || ResourceExhaustion.isCause(disk)
              ? new Hindered(disk.toString())
              : new Impossible("cannot prepare the container: " + disk);
      default -> throw new IllegalStateException(fault);
    };
  }
}
