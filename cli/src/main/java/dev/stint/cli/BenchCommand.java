package dev.stint.cli;

import dev.stint.cli.location.ClusterConnections;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.OutputFormat;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.cluster.ClusterException;
import dev.stint.embedded.ThreadTimers;
import dev.stint.embedded.benchmark.JobRun;
import dev.stint.embedded.benchmark.JobRunOptions;
import dev.stint.embedded.benchmark.JobRunReport;
import dev.stint.kube.KubeCluster;
import dev.stint.model.Json;
import dev.stint.model.document.YamlWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code stint bench}: measures this machine's throughput with Jobs whose pods take no time. */
@Command(
    name = "bench",
    description = {
      "Measure Indexed Jobs whose pods take no time, over a durable store, or on another cluster.",
      "What is left is what running Jobs itself costs there."
    })
final class BenchCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--completions",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Indexes of each Job (default: ${DEFAULT-VALUE}).")
  private int completions;

  @Option(
      names = "--parallelism",
      paramLabel = "P",
      description =
          "Pods of a Job at a time. Default: the completions, at most 1000, or 16 processes.")
  private @Nullable Integer parallelism;

  @Option(
      names = "--jobs",
      paramLabel = "J",
      defaultValue = "1",
      description = "Jobs at a time (default: ${DEFAULT-VALUE}).")
  private int jobs;

  @Option(names = "--per-index", description = "With a backoff limit per index.")
  private boolean perIndex;

  @Option(names = "--fail-first", description = "The first pod of every index fails.")
  private boolean failFirst;

  @Option(
      names = "--runtime",
      paramLabel = "simulated|process",
      defaultValue = "simulated",
      description = "What pods become: simulated, or process for the command true.")
  private RuntimeKind runtime = RuntimeKind.simulated;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Where the store is made, and removed afterwards. Default: a temporary place.")
  private @Nullable Path data;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "Measure a cluster of somebody else's, over HTTP, whose Job controller runs: pods run "
              + "here, on a node that is made for them. Its own CPU time and memory are not seen.")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Which context of the kubeconfig file. Default: its current one.")
  private @Nullable String context;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml",
      description = "How to print the figures, on standard output.")
  private OutputFormat output = OutputFormat.text;

  BenchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    if (runtime != RuntimeKind.simulated && runtime != RuntimeKind.process) {
      throw new UserException(
          "--runtime " + runtime + " can't be measured; use simulated or process");
    }
    if (runtime == RuntimeKind.process && failFirst) {
      throw new UserException("--fail-first needs simulated pods; leave out --runtime process");
    }
    JobRunReport report = kubeconfig == null ? here() : there(kubeconfig);
    switch (output) {
      case text -> console.out().println(report.text());
      case json -> console.out().println(Json.pretty(report.json()));
      case yaml -> console.out().print(YamlWriter.text(report.json()));
    }
    return ExitCode.OK.status();
  }

  private JobRunReport here() throws Exception {
    if (context != null) {
      throw new UserException("--context needs --kubeconfig FILE, which has contexts");
    }
    return JobRun.run(options(), data);
  }

  private JobRunReport there(Path file) throws Exception {
    if (data != null) {
      throw new UserException("--data and --kubeconfig name two places; leave one out");
    }
    JobRunOptions options = options();
    try (ThreadTimers timers = new ThreadTimers();
        KubeCluster cluster = ClusterConnections.open("--kubeconfig", file, context, timers)) {
      return JobRun.on(cluster, timers, options);
    } catch (ExecutionException refused) {
      if (ClusterException.causeOf(refused) instanceof ClusterException answer) {
        throw new UserException("the cluster of " + file + " said: " + answer.getMessage());
      }
      throw refused;
    }
  }

  private JobRunOptions options() {
    if (completions < 1 || jobs < 1 || parallelism != null && parallelism < 1) {
      throw new UserException("--completions, --parallelism and --jobs must be at least 1");
    }
    boolean processes = runtime == RuntimeKind.process;
    int most = processes ? JobRunOptions.DEFAULT_PROCESSES : JobRunOptions.DEFAULT_PARALLELISM;
    int atOnce = parallelism == null ? Math.min(completions, most) : parallelism;
    return new JobRunOptions(completions, atOnce, jobs, perIndex, failFirst, processes);
  }
}
