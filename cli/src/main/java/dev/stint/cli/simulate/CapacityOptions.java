package dev.stint.cli.simulate;

import dev.stint.cli.flag.ByteSizeConverter;
import dev.stint.cli.flag.CpuConverter;
import dev.stint.cli.flag.FlagRange;
import dev.stint.cli.output.UserException;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that limit the room for pods. */
final class CapacityOptions {
  @Option(
      names = "--max-pods",
      paramLabel = "N",
      description =
          "Maximum number of pods that run at once, on each node; other pods wait (default: "
              + "unlimited, or 110 with --nodes).")
  @Nullable Integer maxPods;

  @Option(
      names = "--machine-cpu",
      paramLabel = "CORES",
      converter = CpuConverter.class,
      description =
          "Total of CPU cores that running pods may request, on each node; other pods wait "
              + "(default: unlimited).")
  @Nullable BigDecimal cores;

  @Option(
      names = "--machine-memory",
      paramLabel = "SIZE",
      converter = ByteSizeConverter.class,
      description =
          "Total of memory that running pods may request, on each node; other pods wait (default: "
              + "unlimited).")
  @Nullable Long memoryBytes;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description =
          "Number of equal nodes of a cluster, whose scheduler passes over pods that do not fit "
              + "(default: one machine, which admits pods in order, as stint run does).")
  @Nullable Integer nodes;

  /**
   * Returns the room for pods.
   *
   * @throws UserException if a flag is out of range
   */
  Capacity capacity() {
    FlagRange.atLeastOne("--max-pods", maxPods);
    FlagRange.atLeastOne("--nodes", nodes);
    Long milliCpu = cores == null ? null : cores.movePointRight(3).longValue();
    return new Capacity(maxPods, milliCpu, memoryBytes, nodes);
  }
}
