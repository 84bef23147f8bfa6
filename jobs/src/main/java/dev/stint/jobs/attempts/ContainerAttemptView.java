package dev.stint.jobs.attempts;

import dev.stint.model.Json;
import dev.stint.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Consumer;
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
 * @param devices the devices of its pod, such as {@code nvidia.com/gpu=0,1}; null if there are none
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
    @Nullable String item,
    @Nullable String devices) {
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

  /** Creates an attempt that has no number yet, and of which nothing else is known. */
  public static ContainerAttemptView unnumbered(
      @Nullable Integer index, String pod, String container, int run) {
    return new ContainerAttemptView(
        index,
        0,
        pod,
        container,
        run,
        State.UNKNOWN,
        null,
        null,
        "",
        "",
        null,
        null,
        null,
        null,
        null);
  }

  private ContainerAttemptView with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.finished();
  }

  /** Returns the attempt with its number. */
  public ContainerAttemptView withNumber(int found) {
    return with(draft -> draft.number = found);
  }

  public ContainerAttemptView withState(State now) {
    return with(draft -> draft.state = now);
  }

  public ContainerAttemptView withStart(@Nullable Instant at) {
    return with(draft -> draft.startedAt = at);
  }

  /** Returns the attempt as succeeded if its exit code is 0, otherwise as failed. */
  public ContainerAttemptView withEnd(
      @Nullable Integer code,
      @Nullable Integer by,
      String why,
      String more,
      @Nullable Instant finished) {
    return with(draft -> {
      draft.state = code != null && code == 0 ? State.SUCCEEDED : State.FAILED;
      draft.exitCode = code;
      draft.signal = by;
      draft.reason = why;
      draft.message = more;
      draft.finishedAt = finished;
    });
  }

  /** Returns the attempt as failed for another reason than its exit code. */
  ContainerAttemptView asFailed(String why, String more) {
    return with(draft -> {
      draft.state = State.FAILED;
      draft.reason = why;
      draft.message = more;
    });
  }

  public ContainerAttemptView withLogBytes(long bytes) {
    return with(draft -> draft.logBytes = bytes);
  }

  ContainerAttemptView withReason(String other) {
    return with(draft -> draft.reason = other);
  }

  /** Returns the attempt with a message from another source. */
  public ContainerAttemptView withMessage(String other) {
    return with(draft -> draft.message = other);
  }

  /** Returns the attempt with what its index works on; with what is known if that is null. */
  public ContainerAttemptView withItem(@Nullable String other) {
    return other == null ? this : with(draft -> draft.item = other);
  }

  /** Returns the attempt with the devices of its pod; without any if that is null. */
  ContainerAttemptView withDevices(@Nullable String found) {
    return found == null ? this : with(draft -> draft.devices = found);
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

  /**
   * Returns the attempt as JSON. Timestamps are as Kubernetes writes them, durations in seconds.
   */
  public ObjectNode json(Instant now) {
    ObjectNode tree = Json.object();
    if (index != null) {
      tree.put("index", index.intValue());
    }
    if (item != null) {
      tree.put("item", item);
    }
    if (devices != null) {
      tree.put("devices", devices);
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
      tree.put("startedAt", Timestamps.format(startedAt));
    }
    if (finishedAt != null) {
      tree.put("finishedAt", Timestamps.format(finishedAt));
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

  /** A mutable copy of an attempt. */
  private static final class Draft {
    private @Nullable Integer index;
    private int number;
    private String pod;
    private String container;
    private int run;
    private State state;
    private @Nullable Integer exitCode;
    private @Nullable Integer signal;
    private String reason;
    private String message;
    private @Nullable Instant startedAt;
    private @Nullable Instant finishedAt;
    private @Nullable Long logBytes;
    private @Nullable String item;
    private @Nullable String devices;

    Draft(ContainerAttemptView from) {
      this.index = from.index;
      this.number = from.number;
      this.pod = from.pod;
      this.container = from.container;
      this.run = from.run;
      this.state = from.state;
      this.exitCode = from.exitCode;
      this.signal = from.signal;
      this.reason = from.reason;
      this.message = from.message;
      this.startedAt = from.startedAt;
      this.finishedAt = from.finishedAt;
      this.logBytes = from.logBytes;
      this.item = from.item;
      this.devices = from.devices;
    }

    ContainerAttemptView finished() {
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
          item,
          devices);
    }
  }
}
