package dev.stint.simulation.soak;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** The report of a soak: how much was played, with which faults, and which worlds broke a law. */
final class SoakReport {
  private SoakReport() {}

  /** Returns the report about all the chunks, in Markdown. */
  static String of(List<Chunk> chunks) {
    Chunk all = new Chunk(0);
    chunks.forEach(all::add);
    return """
    | | |
    | --- | --- |
    | worlds | %,d%s |
    | worlds a second of one thread | %.1f |
    | steps | %,d |
    | simulated hours | %,d |
    | worlds that broke a law | %s |

    | fault | times |
    | --- | --- |
    %s

    | slowest seeds | seconds |
    | --- | --- |
    %s
    """
        .formatted(
            all.worlds,
            kinds(all),
            all.worlds / Math.max(0.001, all.millis / 1000.0),
            all.steps,
            Duration.ofSeconds(all.simulatedSeconds).toHours(),
            broken(all),
            all.faults.entrySet().stream()
                .map(each -> "| %s | %,d |".formatted(each.getKey(), each.getValue()))
                .collect(Collectors.joining("\n")),
            all.slowest().stream()
                .map(each -> "| %d | %.1f |".formatted(each.seed(), each.millis() / 1000.0))
                .collect(Collectors.joining("\n")));
  }

  private static String kinds(Chunk all) {
    return all.kinds.entrySet().stream()
        .map(each -> "%s %,d".formatted(each.getKey(), each.getValue()))
        .collect(Collectors.joining(", ", " (", ")"));
  }

  private static String broken(Chunk all) {
    return all.broken.isEmpty()
        ? "none"
        : all.broken.stream().sorted().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
