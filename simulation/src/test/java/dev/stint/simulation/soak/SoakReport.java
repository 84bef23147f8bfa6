package dev.stint.simulation.soak;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The report of a soak: how much was played, with which faults, and which worlds broke a law. */
final class SoakReport {
  private final Chunk all = new Chunk(0);
  private final Set<Long> mended;

  /**
   * @param mended seeds of worlds that broke a law and have held since
   */
  SoakReport(List<Chunk> chunks, Set<Long> mended) {
    chunks.forEach(all::add);
    this.mended = mended;
  }

  /** True if no world breaks a law as yet. */
  boolean isGood() {
    return mended.containsAll(all.broken);
  }

  /** Returns the report about all the chunks, in Markdown. */
  String text() {
    return """
    | | |
    | --- | --- |
    | worlds | %,d%s |
    | worlds a second of one thread | %.1f |
    | steps | %,d |
    | simulated hours | %,d |
    | worlds that broke a law | %s |
    | those of them that hold since | %s |

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
            seeds(all.broken),
            seeds(all.broken.stream().filter(mended::contains).toList()),
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

  private static String seeds(List<Long> seeds) {
    return seeds.isEmpty()
        ? "none"
        : seeds.stream().sorted().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
