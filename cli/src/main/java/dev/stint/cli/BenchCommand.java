package dev.stint.cli;

import dev.stint.cli.location.ClusterConnections;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.OutputFormat;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.ContentTypeOption;
import dev.stint.cli.plane.InterruptSignals;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.cluster.ClusterException;
import dev.stint.embedded.ThreadTimers;
import dev.stint.embedded.benchmark.JobRun;
import dev.stint.embedded.benchmark.JobRunOptions;
import dev.stint.embedded.benchmark.JobRunReport;
import dev.stint.embedded.benchmark.StalledException;
import dev.stint.kube.KubeCluster;
import dev.stint.model.Json;
import dev.stint.model.document.YamlWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stint bench}: measures this machine's throughput with Jobs whose pods take no time. */
@Command(
    name = "bench",
    description = {
      "Measure the throughput of Indexed Jobs whose pods do nothing.",
      "The result is the overhead of running Jobs, over a durable store or on another cluster.",
      "Ctrl-C ends it, and deletes what it has created."
    })
final class BenchCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--completions",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Number of indexes of each Job (default: ${DEFAULT-VALUE}).")
  int completions;

  @Option(
      names = "--parallelism",
      paramLabel = "P",
      description =
          "Number of pods of a Job that run at once (default: the completions, but at "
              + "most 1000, or 16 processes).")
  @Nullable Integer parallelism;

  @Option(
      names = "--jobs",
      paramLabel = "J",
      defaultValue = "1",
      description = "Number of Jobs (default: ${DEFAULT-VALUE}).")
  int jobs;

  @Option(
      names = "--jobs-per-second",
      paramLabel = "N",
      description = "Number of Jobs to create in each second (default: all at once).")
  @Nullable Integer jobsPerSecond;

  @Option(names = "--per-index", description = "Give the Jobs a backoff limit per index.")
  boolean perIndex;

  @Option(names = "--fail-first", description = "Fail the first pod of each index.")
  boolean failFirst;

  @Option(
      names = "--runtime",
      paramLabel = "simulated|process",
      defaultValue = "simulated",
      completionCandidates = RuntimeKind.OfBench.class,
      description =
          "How to run pods: simulated, or as processes of the command true (default: "
              + "${DEFAULT-VALUE}).")
  RuntimeKind runtime = RuntimeKind.simulated;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Directory in which to create the store, which is deleted afterwards (default: "
              + "a temporary directory).")
  @Nullable Path data;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "Kubeconfig of another cluster to measure, whose Job controller runs. Pods run "
              + "here, on a node that is created for them and runs no others. The cluster's CPU "
              + "time and memory are not measured. Says what it waits for if nothing happens for "
              + "10 s, and gives up after a minute.")
  @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Context of the kubeconfig (default: its current context).")
  @Nullable String context;

  @Option(
      names = "--managed-by",
      paramLabel = "NAME",
      description =
          "Name of the Job controller to measure, such as stint.dev/job-controller (default: the "
              + "cluster's built-in one).")
  @Nullable String managedBy;

  @Mixin ContentTypeOption encoding = new ContentTypeOption();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml",
      description = "Output format (default: text).")
  OutputFormat output = OutputFormat.text;

  /** The exit status, once a signal has come. */
  private final CompletableFuture<Integer> stop = new CompletableFuture<>();

  BenchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    if (runtime != RuntimeKind.simulated && runtime != RuntimeKind.process) {
      throw new UserException(
          "--runtime " + runtime + " is not supported here; use simulated or process");
    }
    if (runtime == RuntimeKind.process && failFirst) {
      throw new UserException("--fail-first requires simulated pods; remove --runtime process");
    }
    listenForSignals();
    try {
      print(kubeconfig == null ? measureHere() : measureCluster(kubeconfig));
      return ExitCode.OK.status();
    } catch (ExecutionException | InterruptedException early) {
      if (stop.isDone()) {
        return stop.join();
      }
      throw early;
    }
  }

  private void listenForSignals() {
    InterruptSignals signals = new InterruptSignals(InstantSource.system(), console.terminal());
    stop.thenRun(signals::onStop);
    Thread measuring = Thread.currentThread();
    console.signals().onEnding(signal -> onSignal(signals, measuring, signal));
  }

  /** Ends the benchmark at the first signal, and gives up its deletions at the second. */
  private void onSignal(InterruptSignals signals, Thread measuring, String signal) {
    if (!stop.complete(ExitCode.of(signal).status()) && signals.isRepeated(signal)) {
      measuring.interrupt();
    }
  }

  private void print(JobRunReport report) {
    switch (output) {
      case text -> console.out().println(report.text());
      case json -> console.out().println(Json.pretty(report.json()));
      case yaml -> console.out().print(YamlWriter.text(report.json()));
    }
  }

  private JobRunReport measureHere() throws Exception {
    if (context != null) {
      throw new UserException("--context requires --kubeconfig FILE");
    }
    if (managedBy != null) {
      throw new UserException("--managed-by requires --kubeconfig FILE");
    }
    return JobRun.run(options(), data, stop);
  }

  private JobRunReport measureCluster(Path file) throws Exception {
    if (data != null) {
      throw new UserException("--data and --kubeconfig cannot be combined; remove one of them");
    }
    JobRunOptions options = options();
    try (ThreadTimers timers = new ThreadTimers();
        KubeCluster cluster =
            ClusterConnections.open(
                "--kubeconfig", file, context, encoding.contentType(), timers)) {
      return JobRun.on(cluster, timers, options, console::say, stop);
    } catch (ExecutionException refused) {
      if (refused.getCause() instanceof StalledException stalled) {
        throw new UserException("the cluster of " + file + ": " + stalled.getMessage());
      }
      if (ClusterException.causeOf(refused) instanceof ClusterException answer) {
        throw new UserException(
            "the cluster of " + file + " refused a request: " + answer.getMessage());
      }
      throw refused;
    }
  }

  private JobRunOptions options() {
    if (completions < 1 || jobs < 1 || parallelism != null && parallelism < 1) {
      throw new UserException("--completions, --parallelism and --jobs must be at least 1");
    }
    if (jobsPerSecond != null && jobsPerSecond < 1) {
      throw new UserException("--jobs-per-second must be at least 1");
    }
    boolean processes = runtime == RuntimeKind.process;
    int most = processes ? JobRunOptions.DEFAULT_PROCESSES : JobRunOptions.DEFAULT_PARALLELISM;
    int atOnce = parallelism == null ? Math.min(completions, most) : parallelism;
    int rate = jobsPerSecond == null ? 0 : jobsPerSecond;
    return new JobRunOptions(
        completions, atOnce, jobs, perIndex, failFirst, processes, managedBy, rate);
  }
}
