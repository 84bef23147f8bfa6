package dev.stint.embedded.benchmark;

import dev.stint.model.Json;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import tools.jackson.databind.node.ObjectNode;

/**
 * The results of a benchmark.
 *
 * @param pods the number of pods that finished
 * @param wallSeconds from the creation of the Jobs until the last one is observed as Complete
 * @param cpuSeconds of this process, all threads, in the same time
 * @param createToStart from a pod's being written to the start of its container
 * @param finishToStatus from a successful container's end until a watch shows its index as
 *     completed; on another cluster, from the time on at which that stored the end
 * @param lastEndToComplete from the last of these ends of a Job until a watch shows that the Job is
 *     Complete
 * @param storeBytes on disk, after the run; if the store is our own
 * @param peakHeapBytes the sum of the highest use of each part of the heap, garbage included
 * @param xargsPerSecond the number of the same commands that {@code xargs} runs a second, as many
 *     at a time; if pods are processes
 */
public record JobRunReport(
    JobRunOptions options,
    long pods,
    double wallSeconds,
    double cpuSeconds,
    Percentiles createToStart,
    Percentiles finishToStatus,
    Percentiles lastEndToComplete,
    OptionalLong storeBytes,
    long peakHeapBytes,
    OptionalDouble xargsPerSecond) {

  /** In milliseconds. */
  public record Percentiles(double p50, double p99) {}

  /** Returns this report with the result of {@code xargs}. */
  JobRunReport withXargs(OptionalDouble perSecond) {
    return new JobRunReport(
        options,
        pods,
        wallSeconds,
        cpuSeconds,
        createToStart,
        finishToStatus,
        lastEndToComplete,
        storeBytes,
        peakHeapBytes,
        perSecond);
  }

  public double podsPerSecond() {
    return pods / wallSeconds;
  }

  /**
   * Returns the report as JSON, with the names of the components; milliseconds end in {@code
   * Millis}.
   */
  public ObjectNode json() {
    ObjectNode json = Json.object();
    json.put("completions", options.completions());
    json.put("parallelism", options.parallelism());
    json.put("jobs", options.jobs());
    json.put("perIndex", options.perIndex());
    json.put("failFirst", options.failFirst());
    if (options.jobsPerSecond() > 0) {
      json.put("jobsPerSecond", options.jobsPerSecond());
    }
    json.put("runtime", options.processes() ? "process" : "simulated");
    json.put("pods", pods);
    json.put("wallSeconds", rounded(wallSeconds));
    json.put("podsPerSecond", rounded(podsPerSecond()));
    json.put("cpuSeconds", rounded(cpuSeconds));
    put(json, "createToStartMillis", createToStart);
    put(json, "finishToStatusMillis", finishToStatus);
    put(json, "lastEndToCompleteMillis", lastEndToComplete);
    storeBytes.ifPresent(bytes -> json.put("storeBytes", bytes));
    json.put("peakHeapBytes", peakHeapBytes);
    xargsPerSecond.ifPresent(speed ->
        json.put("xargsPerSecond", rounded(speed))
            .put("ratioToXargs", rounded(podsPerSecond() / speed)));
    return json;
  }

  /** Returns the report as a few lines of text. */
  public String text() {
    return String.format(
            Locale.ROOT,
            """
            %d x %d completions, parallelism %d%s%s%s: %d pods
            wall time         %9.2f s   (%.0f pods per second)
            CPU time          %9.2f s
            create to start   %9.1f ms  (median; 99th percentile %.1f ms)
            finish to status  %9.1f ms  (median; 99th percentile %.1f ms)
            end to Complete   %9.1f ms  (median; 99th percentile %.1f ms)
            peak heap         %9.1f MB
            """,
            options.jobs(),
            options.completions(),
            options.parallelism(),
            options.perIndex() ? ", backoff limit per index" : "",
            options.failFirst() ? ", first pods fail" : "",
            options.jobsPerSecond() > 0 ? ", " + options.jobsPerSecond() + " Jobs a second" : "",
            pods,
            wallSeconds,
            podsPerSecond(),
            cpuSeconds,
            createToStart.p50(),
            createToStart.p99(),
            finishToStatus.p50(),
            finishToStatus.p99(),
            lastEndToComplete.p50(),
            lastEndToComplete.p99(),
            peakHeapBytes / 1e6)
        + store()
        + comparison();
  }

  private String store() {
    return storeBytes.isEmpty()
        ? ""
        : String.format(Locale.ROOT, "store             %9.1f MB%n", storeBytes.getAsLong() / 1e6);
  }

  private String comparison() {
    return xargsPerSecond.isEmpty()
        ? ""
        : String.format(
            Locale.ROOT,
            "as fast as xargs   %8.0f %%   (which runs %.0f commands per second)%n",
            100 * podsPerSecond() / xargsPerSecond.getAsDouble(),
            xargsPerSecond.getAsDouble());
  }

  private static void put(ObjectNode json, String name, Percentiles percentiles) {
    json.putObject(name)
        .put("p50", rounded(percentiles.p50()))
        .put("p99", rounded(percentiles.p99()));
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
