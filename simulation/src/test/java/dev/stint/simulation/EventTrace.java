package dev.stint.simulation;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The latest events, to be printed after a failure, and a digest of all events. */
final class EventTrace {
  private static final int LINES = Integer.getInteger("trace", 60);

  /** A text that is built only if it is printed. */
  private record Line(Instant time, Supplier<String> what) {}

  private final InstantSource clock;
  private final Deque<Line> lines = new ArrayDeque<>();
  private long digest;

  EventTrace(InstantSource clock) {
    this.clock = clock;
  }

  void add(String what) {
    add(what.hashCode(), () -> what);
  }

  private void add(int hash, Supplier<String> what) {
    Line line = new Line(clock.instant(), what);
    digest = (digest * 31 + hash) * 31 + line.time().hashCode();
    lines.add(line);
    if (lines.size() > LINES) {
      lines.remove();
    }
  }

  void add(KubeObject object, boolean gone) {
    if (!object.kindName().equals("Event")) {
      add(Arrays.hashCode(object.bytes()), () -> object + state(object, gone));
    }
  }

  private static String state(KubeObject object, boolean gone) {
    if (object.kindName().equals("Pod")) {
      return (gone ? " gone " : " ")
          + object.uid().substring(0, 6)
          + " "
          + Json.text(object.status(), "phase")
          + (object.finalizers().contains(Names.TRACKING_FINALIZER) ? " tracked" : "")
          + (object.deletionTimestamp() != null ? " deleting" : "");
    }
    return gone
        ? " gone"
        : " " + Json.bytes(object.tree().path("status")).length + "B " + status(object);
  }

  private static String status(KubeObject job) {
    return new String(
            Json.bytes(job.tree().path("status")), java.nio.charset.StandardCharsets.UTF_8)
        .replaceAll("\"(lastProbeTime|lastTransitionTime|message)\":\"[^\"]*\",?", "")
        .replace("\"", "");
  }

  /** Returns the digest, which is equal for two runs with the same events at the same times. */
  long digest() {
    return digest;
  }

  @Override
  public String toString() {
    return lines.stream()
        .map(line -> line.time() + " " + line.what().get())
        .collect(Collectors.joining("\n"));
  }
}
