package dev.stint.runner.runtime;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ID of a container's run as a process: {@code process://<boot>/<pod uid>/<container>/<run>}. A
 * pod's stored status has it, which is on disk for certain. So it tells after a loss of power that
 * a container ran, also if nothing else is left of it. Earlier versions wrote no boot.
 *
 * @param boot tells one boot of the machine from another; empty if it is unknown
 * @param run the rest, which ends with the number of the run
 */
public record ProcessId(String boot, String run) {
  private static final String SCHEME = "process://";
  private static final Pattern FORM =
      Pattern.compile(SCHEME + "(?:([^/]+)/)?([^/]+/[^/]+/[0-9]{1,9})");

  /** Returns the ID of a run that this boot has begun. */
  public static ProcessId of(String boot, String podUid, String container, int number) {
    return new ProcessId(boot, podUid + "/" + container + "/" + number);
  }

  /** Parses a container ID; empty if it is that of no process. */
  public static Optional<ProcessId> of(String containerId) {
    return Optional.of(FORM.matcher(containerId))
        .filter(Matcher::matches)
        .map(found -> new ProcessId(found.group(1) == null ? "" : found.group(1), found.group(2)));
  }

  /** True if both are, or may be, the ID of the same run: one of them may name no boot. */
  public boolean isSameRun(ProcessId other) {
    return run.equals(other.run)
        && (boot.equals(other.boot) || boot.isEmpty() || other.boot.isEmpty());
  }

  /** True if the run began in another boot than this one; false if that is unknown. */
  public boolean isOfAnotherBoot(String than) {
    return !boot.isEmpty() && !boot.equals(than);
  }

  public int number() {
    return Integer.parseInt(run.substring(run.lastIndexOf('/') + 1));
  }

  @Override
  public String toString() {
    return SCHEME + boot + "/" + run;
  }
}
