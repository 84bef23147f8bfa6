package dev.stint.simulation;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;

/** The latest of what happened, to be printed when something goes wrong, and a digest of it all. */
final class Trace {
  private static final int LINES = Integer.getInteger("trace", 60);

  private final InstantSource clock;
  private final Deque<String> lines = new ArrayDeque<>();
  private long digest;

  Trace(InstantSource clock) {
    this.clock = clock;
  }

  void add(String what) {
    String line = clock.instant() + " " + what;
    digest = digest * 31 + line.hashCode();
    lines.add(line);
    if (lines.size() > LINES) {
      lines.remove();
    }
  }

  void add(KubeObject object, boolean gone) {
    if (object.kind().equals(Kind.EVENT)) {
      return;
    }
    String what = gone ? " gone" : "";
    if (object.kind().equals(Kind.POD)) {
      what +=
          " "
              + object.uid().substring(0, 6)
              + " "
              + Json.text(object.status(), "phase")
              + (object.finalizers().contains(Names.TRACKING_FINALIZER) ? " tracked" : "")
              + (object.deletionTimestamp() != null ? " deleting" : "");
    } else if (!gone) {
      what += " " + Json.bytes(object.tree().path("status")).length + "B " + status(object);
    }
    add(object + what);
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
    return String.join("\n", lines);
  }
}
