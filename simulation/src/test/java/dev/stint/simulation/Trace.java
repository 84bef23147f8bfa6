package dev.stint.simulation;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The latest of what happened, to be printed when something goes wrong, and a digest of it all. */
final class Trace {
  private static final int LINES = Integer.getInteger("trace", 60);

  /** What is told only if somebody wants to read it. */
  private record Line(Instant time, Supplier<String> what) {}

  private final InstantSource clock;
  private final Deque<Line> lines = new ArrayDeque<>();
  private long digest;

  Trace(InstantSource clock) {
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
    if (!object.kind().equals(Kind.EVENT)) {
      add(Arrays.hashCode(object.bytes()), () -> object + state(object, gone));
    }
  }

  private static String state(KubeObject object, boolean gone) {
    if (object.kind().equals(Kind.POD)) {
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

  /** Equal for two runs in which the same happened at the same times. */
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
