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
 * @param index the completion index; null where the Job has none
 * @param number of the attempt at this index (at the Job, where it has none), from 1, in the order
 *     of their starts. All containers of a pod that run together belong to one attempt
 * @param pod the pod's name
 * @param run how often the container was run in this pod before
 * @param exitCode null while it runs, and where nobody knows it
 * @param signal what it was ended by; null where it was not, or nobody knows
 * @param reason such as {@code OOMKilled}; empty where there is none
 * @param message more of that; empty where there is none
 * @param startedAt null where it has not started, or nobody knows
 * @param finishedAt null where it has not finished, or nobody knows
 * @param logBytes how much is kept of what it printed; null where its log is elsewhere
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
    @Nullable Long logBytes) {
  /** How it stands. */
  public enum State {
    WAITING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    /** Its pod was taken away, or Stint was ended, while it ran. */
    STOPPED,
    /** It was interrupted, and nobody wrote down how it ended. */
    UNKNOWN
  }

  /** Something that is known of it before attempts are numbered. */
  static ContainerAttemptView unnumbered(
      @Nullable Integer index, String pod, String container, int run) {
    return new ContainerAttemptView(
        index, 0, pod, container, run, State.UNKNOWN, null, null, "", "", null, null, null);
  }

  /** The same with its number, where that is known only later. */
  public ContainerAttemptView numbered(int found) {
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
        logBytes);
  }

  ContainerAttemptView in(State now) {
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
        logBytes);
  }

  ContainerAttemptView started(@Nullable Instant at) {
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
        logBytes);
  }

  ContainerAttemptView ended(
      @Nullable Integer code,
      @Nullable Integer by,
      String why,
      String more,
      @Nullable Instant finished) {
    State end = code != null && code == 0 ? State.SUCCEEDED : State.FAILED;
    return new ContainerAttemptView(
        index, number, pod, container, run, end, code, by, why, more, startedAt, finished,
        logBytes);
  }

  ContainerAttemptView printed(long bytes) {
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
        bytes);
  }

  /** The same, for a reason that is told elsewhere. */
  public ContainerAttemptView because(String told) {
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
        told,
        startedAt,
        finishedAt,
        logBytes);
  }

  /** The same where whoever would write down its end is still there: then it has not ended. */
  public ContainerAttemptView withWitness() {
    return state == State.UNKNOWN ? in(State.RUNNING) : this;
  }

  /** Whether it is over, as far as anybody knows. */
  public boolean over() {
    return state != State.WAITING && state != State.RUNNING;
  }

  /** How long it took, or has been taking; null where it has not started or nobody knows. */
  public @Nullable Duration duration(Instant now) {
    Instant start = startedAt;
    Instant end = finishedAt == null && state == State.RUNNING ? now : finishedAt;
    return start == null || end == null || end.isBefore(start)
        ? null
        : Duration.between(start, end);
  }

  /** Why it ended as it did, in a line; empty where it simply ended. */
  public String why() {
    String line = message.strip().lines().findFirst().orElse("");
    boolean plain = reason.equals("Completed") || reason.equals("Error");
    String told = plain ? "" : reason;
    return told.isEmpty() || line.isEmpty() ? told + line : told + ": " + line;
  }

  /** How it stands, in a word. */
  public String word() {
    return state.name().toLowerCase(Locale.ROOT);
  }

  /** For tools. Times as Kubernetes writes them, how long it took in seconds. */
  public ObjectNode json(Instant now) {
    ObjectNode tree = Json.object();
    if (index != null) {
      tree.put("index", index.intValue());
    }
    tree.put("attempt", number).put("pod", pod).put("container", container).put("run", run);
    tree.put("state", word());
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
