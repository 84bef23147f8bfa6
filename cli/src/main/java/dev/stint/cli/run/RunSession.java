package dev.stint.cli.run;

import dev.stint.apiserver.encryption.EncryptedEngine;
import dev.stint.apiserver.encryption.EncryptionConfiguration;
import dev.stint.cli.location.DataLocation;
import dev.stint.cli.location.EncryptionOptions;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.Logging;
import dev.stint.cli.output.OutputFormat;
import dev.stint.cli.output.ShellQuoting;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.ActiveRuntimeFile;
import dev.stint.cli.plane.ControllerOptions;
import dev.stint.cli.plane.MetricsServing;
import dev.stint.cli.plane.PodOptions;
import dev.stint.cli.plane.RuntimeFactory;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.cli.plane.Signals;
import dev.stint.cli.plane.StopSignals;
import dev.stint.cli.report.JobOutcome;
import dev.stint.cli.report.Progress;
import dev.stint.cli.report.ProgressDisplay;
import dev.stint.cluster.ClusterException;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.embedded.data.DataDirectoryException;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.Follower;
import dev.stint.jobs.JobCounts;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.document.YamlWriter;
import dev.stint.runner.runtime.Runtime;
import dev.stint.store.RocksEngine;
import dev.stint.store.StoreException;
import dev.stint.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One {@code run}: a control plane over a data directory that works on the given Jobs and no others
 * until they end.
 */
final class RunSession implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunSession.class);
  private static final Duration REDRAW = Duration.ofMillis(100);

  /**
   * The options of a run.
   *
   * @param inputs config maps and secrets that the Jobs may name
   * @param store the options of the store
   */
  record Options(
      Path data,
      RuntimeKind runtime,
      @Nullable Duration timeout,
      int maxPods,
      StoreOptions store,
      EncryptionConfiguration encryption,
      PodOptions pods,
      ExistingJobs existing,
      List<RequestedInput> inputs,
      OutputFormat output,
      Reporting reporting) {}

  /**
   * The reports while Jobs run and at their end.
   *
   * @param follow true to print the logs as they are written
   * @param failFast true to stop all Jobs as soon as one has failed
   * @param junit the file for a report in JUnit's format; null for none
   */
  record Reporting(boolean follow, boolean failFast, @Nullable Path junit) {
    static final Reporting NONE = new Reporting(false, false, null);
  }

  /** The reason why the session ends. */
  private sealed interface End {
    /** Every Job has ended. */
    record Finished() implements End {}

    /** A signal came. */
    record Signalled(int status) implements End {}

    record TimedOut(Duration timeout) implements End {}

    /** A Job has failed, and {@code --fail-fast} is set. */
    record FailedFast(String job) implements End {}

    /** The store can't be written any more. */
    record Broken(String why) implements End {}
  }

  private final Console console;
  private final Options options;
  private final List<RequestedJob> requested;
  private final DataDirectory directory;
  private final ControlPlane plane;
  private final MetricsServing metrics;
  private final PodWarnings warnings;
  private final CompletableFuture<End> end = new CompletableFuture<>();
  private final Set<String> wanted;
  private final Set<String> ended = ConcurrentHashMap.newKeySet();
  private final Map<String, KubeObject> jobs = new ConcurrentHashMap<>();
  private final RunReport report;
  private final StopSignals signals;
  private final List<RunLogs> followed = new ArrayList<>();
  private @Nullable AutoCloseable open;

  private RunSession(
      Console console,
      Options options,
      List<RequestedJob> requested,
      DataDirectory directory,
      ControlPlane plane,
      MetricsServing metrics) {
    this.metrics = metrics;
    this.console = console;
    this.options = options;
    this.requested = requested;
    this.wanted = keys(requested);
    this.directory = directory;
    this.plane = plane;
    this.report =
        new RunReport(
            console,
            plane.cluster(),
            directory.logs(),
            options.runtime(),
            plane.clock(),
            requested.size(),
            options.reporting().junit());
    this.signals = new StopSignals(plane.clock(), console.terminal());
    end.thenRun(signals::onStop);
    this.warnings = new PodWarnings(plane.cluster(), plane.timers(), plane.random());
  }

  /**
   * Opens the data directory for this process alone.
   *
   * @throws UserException if it can't be opened
   */
  static RunSession open(
      Console console,
      Options options,
      ControllerOptions controller,
      List<RequestedJob> requested) {
    Set<String> keys = keys(requested);
    Set<String> decisive =
        keys(requested.stream().filter(RequestedJob::decidesOnDisruptions).toList());
    MetricsServing metrics = controller.metrics();
    ControlPlane.Options planeOptions =
        new ControlPlane.Options(
                options.store(),
                controller.jobs(job -> keys.contains(key(job.namespace(), job.name()))),
                options.maxPods(),
                pod -> keys.contains(key(pod.namespace(), jobName(pod))))
            .with(metrics.metrics())
            .with(options.pods().machine(), options.pods().inputsTimeout())
            .withDevices(options.pods().devices())
            .withRepeatsOfLost(pod -> !decisive.contains(key(pod.namespace(), jobName(pod))));
    try {
      DataDirectory directory = new DataLocation(options.data()).open();
      if (!Logging.isStarted()) {
        Logging.toFile(new DataLocation(options.data()).log());
      }
      EncryptedEngine engine =
          new EncryptedEngine(RocksEngine.open(directory.store()), options.encryption());
      ControlPlane plane = new ControlPlane(engine, planeOptions);
      EncryptionOptions.report(engine, console);
      return new RunSession(console, options, requested, directory, plane, metrics);
    } catch (DataDirectoryException refused) {
      throw DataLocation.userException(refused);
    } catch (IOException | StoreException fault) {
      throw new UserException("cannot open " + options.data() + ": " + fault.getMessage());
    }
  }

  /** Runs to the end and returns the exit status. */
  int run() {
    Signals.on("INT", () -> onSignal("INT", ExitCode.INTERRUPTED.status()));
    Signals.on("TERM", () -> onSignal("TERM", 128 + 15));
    plane
        .failure()
        .thenAccept(why -> end.complete(new End.Broken(String.valueOf(why.getMessage()))));
    JobSubmission applying =
        new JobSubmission(plane.cluster(), options.existing(), plane.clock(), console::say);
    applying.createInputs(options.inputs());
    List<JobSubmission.Applied> applied = applying.apply(requested);
    applied.forEach(job -> onJob(job.job()));
    follow();
    warnings.start();
    metrics.open(plane, console);
    if (options.reporting().follow()) {
      applied.forEach(this::prepareLogs);
    }
    start();
    applied.forEach(this::announce);
    followed.forEach(RunLogs::start);
    Duration timeout = options.timeout();
    if (timeout != null) {
      plane.timers().after(timeout, () -> end.complete(new End.TimedOut(timeout)));
    }
    return close(await(applied));
  }

  private void prepareLogs(JobSubmission.Applied job) {
    if (job.decision().isStart()) {
      String prefix = requested.size() == 1 ? "" : job.requested().name();
      followed.add(
          RunLogs.of(
              console, plane.cluster(), plane.timers(), directory.logs(), job.job(), prefix));
    }
  }

  private void onSignal(String signal, int status) {
    if (!end.complete(new End.Signalled(status)) && signals.isRepeated(signal)) {
      plane.interruptNow();
    }
  }

  private void start() {
    plane
        .start(runtime())
        .exceptionally(fault -> {
          end.complete(
              new End.Broken("cannot adopt the pods of the previous run: " + fault.getMessage()));
          return null;
        });
  }

  private Runtime runtime() {
    Runtime runtime =
        RuntimeFactory.open(options.runtime(), options.pods(), directory, console, plane);
    open = runtime instanceof AutoCloseable found ? found : null;
    return runtime;
  }

  /** Keeps {@link #jobs} up to date with the API, and detects the end of all of them. */
  private void follow() {
    Follower<KubeObject> follower =
        new Follower<>(
            plane.cluster(),
            Kind.JOB,
            null,
            plane.timers(),
            plane.random(),
            job -> wanted.contains(key(job.namespace(), job.name())) ? job : null,
            new JobListener());
    follower.start();
    follower
        .failure()
        .thenAccept(why -> end.complete(new End.Broken(String.valueOf(why.getMessage()))));
  }

  private final class JobListener implements Follower.Listener<KubeObject> {
    @Override
    public void onUpdate(KubeObject job) {
      onJob(job);
    }

    @Override
    public void onDelete(KubeObject last) {}
  }

  private void onJob(KubeObject job) {
    String key = key(job.namespace(), job.name());
    if (wanted.contains(key)) {
      jobs.put(key, job);
      JobOutcome.of(job)
          .filter(_ -> ended.add(key))
          .ifPresent(outcome -> onOutcome(outcome, ended.size() == wanted.size()));
      if (ended.size() == wanted.size()) {
        end.complete(new End.Finished());
      }
    }
  }

  /**
   * @param last true if no other Job is unfinished
   */
  private void onOutcome(JobOutcome outcome, boolean last) {
    if (options.reporting().failFast() && outcome.exitCode() == ExitCode.FAILED && !last) {
      end.complete(new End.FailedFast(outcome.job()));
    }
  }

  private void announce(JobSubmission.Applied job) {
    JobCounts counts = JobCounts.of(job.job());
    String of = counts.completions() == null ? "" : " of " + counts.completions();
    switch (job.decision()) {
      case RunDecision.Resume _ ->
          console.say(
              job.requested().name() + ": resumed, " + counts.succeeded() + of + " succeeded");
      case RunDecision.Report _ -> console.say(job.requested().name() + ": already finished");
      case RunDecision.Create _, RunDecision.StartAnew _, RunDecision.Continue _
          when job.decision().isStart() ->
          console.say(job.requested().name() + ": started, logs in " + logs(job.job()));
      default -> {}
    }
  }

  private End await(List<JobSubmission.Applied> applied) {
    String name =
        applied.size() == 1 ? applied.getFirst().requested().name() : applied.size() + " Jobs";
    Progress progress = new Progress(name, counts(), plane.clock().instant());
    ProgressDisplay display = new ProgressDisplay(console, progress);
    try {
      while (true) {
        try {
          return end.get(REDRAW.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException notYet) {
          warnings.newLines().forEach(display::say);
          outcomes(display::say);
          if (!options.reporting().follow()) {
            display.show(counts(), plane.clock().instant());
          }
        }
      }
    } catch (InterruptedException | ExecutionException fault) {
      throw new IllegalStateException(fault);
    } finally {
      warnings.newLines().forEach(display::say);
      display.clear();
    }
  }

  private JobCounts counts() {
    return jobs.values().stream().map(JobCounts::of).reduce(JobCounts.NONE, JobCounts::plus);
  }

  /** Reports the end, ends the pods that still run, and returns the exit status. */
  private int close(End how) {
    return switch (how) {
      case End.Finished finished -> report();
      case End.Signalled signal -> {
        console.say("stopping pods; press Ctrl-C again to kill them at once");
        yield stopEarly(JobOutcome::interrupted, signal.status());
      }
      case End.TimedOut timedOut ->
          stopEarly(
              job -> JobOutcome.timedOut(job, timedOut.timeout()),
              report.hasFailed() ? ExitCode.FAILED.status() : ExitCode.TIMEOUT.status());
      case End.FailedFast failed ->
          stopEarly(job -> JobOutcome.stopped(job, failed.job()), ExitCode.FAILED.status());
      case End.Broken broken -> {
        console.say(broken.why());
        console.say(
            "no acknowledged write is lost; fix the cause, and run the same command again to resume");
        stop();
        yield ExitCode.USAGE.status();
      }
    };
  }

  /**
   * Stops all pods and reports every Job: those that have ended, and with the given words those
   * that have not. A failed one starts anew with the same command; others resume or are done.
   */
  private int stopEarly(UnaryOperator<String> unfinishedWords, int status) {
    stop();
    outcomes(console::say);
    unfinished()
        .forEach(job -> {
          String words = unfinishedWords.apply(job.name());
          console.say(words);
          report.add(job, words);
        });
    writeReport();
    printJson();
    inOrder().stream()
        .filter(job -> JobOutcome.of(job).filter(JobOutcome::hasFailed).isPresent())
        .forEach(this::markReported);
    return status;
  }

  /** Tells the outcomes of Jobs that have ended since the last call. */
  private void outcomes(Consumer<String> say) {
    for (KubeObject job : inOrder()) {
      JobOutcome.of(job).ifPresent(outcome -> report.tell(job, outcome, flags(job), say));
    }
  }

  private void writeReport() {
    followed.forEach(RunLogs::finishSoon);
    report.write();
  }

  private void stop() {
    try {
      plane.interrupt().get();
      ActiveRuntimeFile.clear(directory);
    } catch (InterruptedException | ExecutionException fault) {
      throw new IllegalStateException(fault);
    }
  }

  private List<KubeObject> unfinished() {
    return jobs.values().stream().filter(job -> JobOutcome.of(job).isEmpty()).toList();
  }

  private int report() {
    followed.forEach(RunLogs::finish);
    outcomes(console::say);
    report.summary().ifPresent(console::say);
    writeReport();
    printJson();
    // Last of all: if the process dies before, the next one reports the outcome again.
    plane.stop();
    inOrder().forEach(this::markReported);
    return report.hasFailed() ? ExitCode.FAILED.status() : ExitCode.OK.status();
  }

  /**
   * Records that the outcome was reported, so that the same command starts the Job anew. If this
   * can't be stored, the command reports the outcome again.
   */
  private void markReported(KubeObject job) {
    ObjectNode patch = Json.object();
    patch
        .putObject("metadata")
        .put("uid", job.uid())
        .putObject("annotations")
        .put(RequestedJob.REPORTED, "true");
    try {
      ApiCalls.await(plane.cluster().patch(job.ref(), patch));
    } catch (ClusterException refused) {
      LOG.warn(
          "Cannot mark {} as reported; the same command will report it again: {}",
          job,
          refused.getMessage());
    }
  }

  private void printJson() {
    if (options.output() == OutputFormat.text) {
      return;
    }
    List<KubeObject> all = inOrder();
    if (all.size() == 1) {
      print(all.getFirst().tree());
      return;
    }
    ObjectNode list = Json.object();
    list.put("apiVersion", "v1").put("kind", "List");
    ArrayNode items = list.putArray("items");
    all.forEach(job -> items.add(job.tree()));
    print(list);
  }

  private void print(ObjectNode document) {
    if (options.output() == OutputFormat.yaml) {
      console.out().print(YamlWriter.text(document));
    } else {
      console.out().println(Json.pretty(document));
    }
  }

  private List<KubeObject> inOrder() {
    return requested.stream()
        .map(job -> Optional.ofNullable(jobs.get(key(job.namespace(), job.name()))))
        .flatMap(Optional::stream)
        .toList();
  }

  /** Returns the flags that another command needs to find a Job. */
  private String flags(KubeObject job) {
    Path usual = DataLocation.of(null, console.environment()).path();
    return (options.data().equals(usual)
            ? ""
            : " --data " + ShellQuoting.quoted(options.data().toString()))
        + (job.namespace().equals("default") ? "" : " -n " + job.namespace());
  }

  private Path logs(KubeObject job) {
    return directory.logs().resolve(job.namespace()).resolve(job.name());
  }

  private static Set<String> keys(List<RequestedJob> jobs) {
    return jobs.stream().map(job -> key(job.namespace(), job.name())).collect(Collectors.toSet());
  }

  private static String key(String namespace, String name) {
    return namespace + "/" + name;
  }

  private static String jobName(KubeObject pod) {
    return Objects.requireNonNullElse(pod.label(Names.JOB_NAME), "");
  }

  @Override
  public void close() {
    metrics.close();
    plane.close();
    if (open != null) {
      RuntimeFactory.close(open);
    }
    directory.close();
  }
}
