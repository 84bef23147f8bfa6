package dev.stint.jobs.attempts;

import dev.stint.model.Json;
import dev.stint.model.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One run of one container of a Job.
 *
 * @param index the completion index; null if the Job has none
 * @param number the number of the attempt at this index (at the Job, if it has none), from 1, in
 *     the order of their starts. All containers of a pod that run together belong to one attempt
 * @param pod the pod's name
 * @param run the number of earlier runs of the container in this pod
 * @param exitCode null while it runs, or if unknown
 * @param signal the signal that ended it; null if none did, or if unknown
 * @param reason such as {@code OOMKilled}; empty if there is none
 * @param message details of the reason; empty if there are none
 * @param startedAt null if it has not started, or if unknown
 * @param finishedAt null if it has not finished, or if unknown
 * @param logBytes the kept bytes of its output; null if its log is elsewhere
 * @param item what its index works on, for people; null if that is unknown
 */
public record ContainerAttemptView(
    @Nullable Integer index,
    int number,
    String pod,
    String container,
    int run,
    State state,
    @Nullable Integer exitCode,
    @Nullable Integer signal,
    String reason,
    String message,
    @Nullable Instant startedAt,
    @Nullable Instant finishedAt,
    @Nullable Long logBytes,
    @Nullable String item) {
  /** The state of an attempt. */
  public enum State {
    WAITING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    /** Its pod was deleted, or Stint was ended, while it ran. */
    STOPPED,
    /** It was interrupted, and its end was not recorded. */
    UNKNOWN
  }

  /** An attempt whose item is unknown. */
  public ContainerAttemptView(
      @Nullable Integer index,
      int number,
      String pod,
      String container,
      int run,
      State state,
      @Nullable Integer exitCode,
      @Nullable Integer signal,
      String reason,
      String message,
      @Nullable Instant startedAt,
      @Nullable Instant finishedAt,
      @Nullable Long logBytes) {
    this(
        index,
        number,
        pod,
        container,
        run,
        state,
        exitCode,
        signal,
        reason,
        message,
        startedAt,
        finishedAt,
        logBytes,
        null);
  }

  /** Creates an attempt that has no number yet. */
  static ContainerAttemptView unnumbered(
      @Nullable Integer index, String pod, String container, int run) {
    return new ContainerAttemptView(
        index, 0, pod, container, run, State.UNKNOWN, null, null, "", "", null, null, null);
  }

  /** Returns the attempt with its number. */
  public ContainerAttemptView withNumber(int found) {
    return new ContainerAttemptView(
        index,
        found,
        pod,
        container,
        run,
        state,
        exitCode,
        signal,
        reason,
        message,
        startedAt,
        finishedAt,
        logBytes,
        item);
  }

  ContainerAttemptView withState(State now) {
    return new ContainerAttemptView(
        index,
        number,
        pod,
        container,
        run,
        now,
        exitCode,
        signal,
        reason,
        message,
        startedAt,
        finishedAt,
        logBytes,
        item);
  }

  ContainerAttemptView withStart(@Nullable Instant at) {
    return new ContainerAttemptView(
        index,
        number,
        pod,
        container,
        run,
        state,
        exitCode,
        signal,
        reason,
        message,
        at,
        finishedAt,
        logBytes,
        item);
  }

  ContainerAttemptView withEnd(
      @Nullable Integer code,
      @Nullable Integer by,
      String why,
      String more,
      @Nullable Instant finished) {
    State end = code != null && code == 0 ? State.SUCCEEDED : State.FAILED;
    return new ContainerAttemptView(
        index, number, pod, container, run, end, code, by, why, more, startedAt, finished, logBytes,
        item);
  }

  ContainerAttemptView withLogBytes(long bytes) {
    return new ContainerAttemptView(
        index,
        number,
        pod,
        container,
        run,
        state,
        exitCode,
        signal,
        reason,
        message,
        startedAt,
        finishedAt,
        bytes,
        item);
  }

  /** Returns the attempt with a message from another source. */
  public ContainerAttemptView withMessage(String other) {
    return new ContainerAttemptView(
        index,
        number,
        pod,
        container,
        run,
        state,
        exitCode,
        signal,
        reason,
        other,
        startedAt,
        finishedAt,
        logBytes,
        item);
  }

  /** Returns the attempt with what its index works on; with what is known if that is null. */
  public ContainerAttemptView withItem(@Nullable String other) {
    return new ContainerAttemptView(
        index,
        number,
        pod,
        container,
        run,
        state,
        exitCode,
        signal,
        reason,
        message,
        startedAt,
        finishedAt,
        logBytes,
        other == null ? item : other);
  }

  /**
   * Returns the attempt as running if its end is unknown, since the process that would record its
   * end still runs.
   */
  public ContainerAttemptView runningIfUnknown() {
    return state == State.UNKNOWN ? withState(State.RUNNING) : this;
  }

  /** True if the attempt has ended, as far as known. */
  public boolean hasEnded() {
    return state != State.WAITING && state != State.RUNNING;
  }

  /**
   * Returns how long the attempt took, or has been running; null if it has not started or if
   * unknown.
   */
  public @Nullable Duration duration(Instant now) {
    Instant start = startedAt;
    Instant end = finishedAt == null && state == State.RUNNING ? now : finishedAt;
    return start == null || end == null || end.isBefore(start)
        ? null
        : Duration.between(start, end);
  }

  /** Returns one line that says why it ended; empty if it simply ended. */
  public String explanation() {
    String line = message.strip().lines().findFirst().orElse("");
    boolean plain = reason.equals("Completed") || reason.equals("Error");
    String shown = plain ? "" : reason;
    return shown.isEmpty() || line.isEmpty() ? shown + line : shown + ": " + line;
  }

  /** Returns the state in one word. */
  public String stateName() {
    return state.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the attempt as JSON. Times are as Kubernetes writes them, durations in seconds. */
  public ObjectNode json(Instant now) {
    ObjectNode tree = Json.object();
    if (index != null) {
      tree.put("index", index.intValue());
    }
    if (item != null) {
      tree.put("item", item);
    }
    tree.put("attempt", number).put("pod", pod).put("container", container).put("run", run);
    tree.put("state", stateName());
    if (exitCode != null) {
      tree.put("exitCode", exitCode.intValue());
    }
    if (signal != null) {
      tree.put("signal", signal.intValue());
    }
    if (!reason.isEmpty()) {
      tree.put("reason", reason);
    }
    if (!message.isEmpty()) {
      tree.put("message", message);
    }
    if (startedAt != null) {
      tree.put("startedAt", Times.format(startedAt));
    }
    if (finishedAt != null) {
      tree.put("finishedAt", Times.format(finishedAt));
    }
    Duration took = duration(now);
    if (took != null) {
      tree.put("seconds", took.toMillis() / 1000.0);
    }
    if (logBytes != null) {
      tree.put("logBytes", logBytes.longValue());
    }
    return tree;
  }
}
