package dev.stint.console;

import dev.stint.model.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Counts the pods of a Job that ended, per time span. Readers ask for the spans that changed since
 * their last request.
 */
final class Throughput {
  /** The largest number of spans in a first answer. */
  private static final long MOST_SPANS = 600;

  private static final long[] WIDTHS = {1, 2, 5, 10, 30, 60, 300, 900, 3_600, 21_600, 86_400};

  private final long width;
  private final TreeMap<Long, Span> spans = new TreeMap<>();
  private long version;

  private record Span(int succeeded, int failed, long version) {}

  /**
   * Creates an empty count.
   *
   * @param age how long the Job has existed, which decides the width of a span
   */
  Throughput(Duration age) {
    long width = WIDTHS[0];
    for (int i = 1; i < WIDTHS.length && age.toSeconds() / width > MOST_SPANS; i++) {
      width = WIDTHS[i];
    }
    this.width = width;
  }

  /** Records the end of a pod. */
  void add(Instant finished, boolean succeeded) {
    long at = Math.floorDiv(finished.getEpochSecond(), width);
    Span before = spans.getOrDefault(at, new Span(0, 0, 0));
    version++;
    spans.put(
        at,
        new Span(
            before.succeeded() + (succeeded ? 1 : 0),
            before.failed() + (succeeded ? 0 : 1),
            version));
  }

  /** Returns a number that grows with every change. */
  long version() {
    return version;
  }

  /**
   * Returns the spans that have changed: {@code width} in seconds, and {@code spans} with {@code
   * [start, succeeded, failed]} of each, the start in seconds since 1970.
   *
   * @param since the version of the last answer; 0 for all
   */
  ObjectNode changes(long since) {
    ObjectNode tree = Json.object().put("width", width);
    ArrayNode list = tree.putArray("spans");
    spans.forEach((at, span) -> {
      if (span.version() > since) {
        list.addArray().add(at * width).add(span.succeeded()).add(span.failed());
      }
    });
    return tree;
  }
}
