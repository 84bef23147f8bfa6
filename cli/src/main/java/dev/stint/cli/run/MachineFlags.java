package dev.stint.cli.run;

import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The flags of {@code run} that apply to all pods of a data directory. */
final class MachineFlags {
  /**
   * Flags of a run that holds its data directory; those of a run that joins another are unused.
   * With {@code --volume-dir}, {@code --host-path}, {@code --require-limits} and {@code
   * --container-socket} it must agree.
   */
  private static final Set<String> ALL =
      Set.of(
          "--max-pods",
          "--durability",
          "--machine-cpu",
          "--machine-memory",
          "--device",
          "--inputs-timeout",
          "--max-log-size",
          "--keep-logs",
          "--keep-logs-size",
          "--feature-gates",
          "--metrics-listen",
          "--concurrent-job-syncs",
          "--sync-batch-period",
          "--pod-failure-backoff",
          "--max-pod-failure-backoff",
          "--max-uncounted-pods",
          "--max-pod-changes-per-sync");

  private MachineFlags() {}

  /** Returns those that the user has named. */
  static List<String> named(ParseResult parsed) {
    return parsed.matchedOptions().stream()
        .map(OptionSpec::longestName)
        .filter(ALL::contains)
        .distinct()
        .toList();
  }
}
