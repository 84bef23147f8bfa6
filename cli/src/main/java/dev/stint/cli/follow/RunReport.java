package dev.stint.cli.follow;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.cli.report.CiMessages;
import dev.stint.cli.report.FailedPods;
import dev.stint.cli.report.JUnitReport;
import dev.stint.cli.report.JobOutcome;
import dev.stint.cluster.Cluster;
import dev.stint.jobs.JobChanges;
import dev.stint.jobs.JobItems;
import dev.stint.jobs.attempts.AttemptHistory;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.jobs.attempts.LogTails;
import dev.stint.model.KubeObject;
import dev.stint.runner.log.LogTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells the outcome of each Job of a {@code run} once, and writes the report for CI. */
public final class RunReport {
  private static final int LINES_OF_A_LOG = 5;
  private static final int LINES_IN_A_FILE = 20;

  private final Console console;
  private final Cluster cluster;
  private final Logs logs;
  private final InstantSource clock;
  private final int jobs;
  private final @Nullable Path file;
  private final CiMessages messages;
  private final Map<String, JobOutcome> told = new LinkedHashMap<>();
  private final List<JUnitReport.Suite> suites = new ArrayList<>();

  /** The logs of the Jobs. */
  public interface Logs {
    /** Returns where the user finds the logs of a Job. */
    String place(KubeObject job);

    /** Returns the files of all logs; null if they are on other machines. */
    @Nullable LogTree files();

    /** Returns the logs of a Job; empty if it has none. */
    Optional<LogSource> of(KubeObject job);
  }

  /** Logs in a data directory. */
  private record LocalLogs(LogTree files, boolean exist) implements Logs {
    @Override
    public String place(KubeObject job) {
      return AttemptHistory.jobDir(files, job.namespace(), job.name()).toString();
    }

    @Override
    public Optional<LogSource> of(KubeObject job) {
      return exist
          ? Optional.of(new LogSource.Local(files, job.namespace(), job.name()))
          : Optional.empty();
    }
  }

  /**
   * @param jobs the number of Jobs of the run
   * @param file the file for CI; null for none
   */
  public RunReport(
      Console console,
      Cluster cluster,
      Path logs,
      RuntimeKind runtime,
      InstantSource clock,
      int jobs,
      @Nullable Path file) {
    this(
        console,
        cluster,
        new LocalLogs(
            new LogTree(logs), runtime == RuntimeKind.process || runtime == RuntimeKind.container),
        clock,
        jobs,
        file);
  }

  /**
   * @param jobs the number of Jobs of the run
   * @param file the file for CI; null for none
   */
  public RunReport(
      Console console,
      Cluster cluster,
      Logs logs,
      InstantSource clock,
      int jobs,
      @Nullable Path file) {
    this.console = console;
    this.cluster = cluster;
    this.logs = logs;
    this.clock = clock;
    this.jobs = jobs;
    this.file = file;
    this.messages = CiMessages.of(console.environment());
  }

  /** Tells the outcome of a Job, unless it was told. */
  public void tell(KubeObject job, JobOutcome outcome, String flags, Consumer<String> say) {
    if (told.putIfAbsent(job.uid(), outcome) != null) {
      return;
    }
    List<FailedPods.Failure> failures = outcome.hasFailed() ? failures(job) : List.of();
    List<String> lines = new ArrayList<>();
    failures.forEach(failure -> lines.addAll(lines(job, failure)));
    messages.before(job.name(), outcome, clock.instant()).forEach(console.err()::println);
    outcome.lines(logs.place(job), lines, flags).forEach(say);
    messages.after(job.name(), outcome, lines, clock.instant()).forEach(console.err()::println);
    add(job, outcome.hasFailed() ? outcome.verdict() : "");
  }

  /**
   * Adds a Job to the report for CI, if there is one: it reads all attempts.
   *
   * @param problem why it did not succeed; empty if it did
   */
  public void add(KubeObject job, String problem) {
    if (file == null) {
      return;
    }
    Optional<JobItems> items = JobItems.of(cluster, job);
    try {
      suites.add(
          JUnitReport.suite(
              job,
              AttemptHistory.find(
                  job.namespace(),
                  job.name(),
                  job,
                  JobChanges.pods(cluster, job),
                  logs.files(),
                  false),
              index -> items.flatMap(known -> known.display(index)),
              attempt -> tail(job, attempt, LINES_IN_A_FILE),
              problem));
    } catch (IOException fault) {
      console.say(job.name() + ": its attempts cannot be read: " + fault.getMessage());
    }
  }

  private List<FailedPods.Failure> failures(KubeObject job) {
    Optional<JobItems> items = JobItems.of(cluster, job);
    return FailedPods.last(
        JobChanges.pods(cluster, job), index -> items.flatMap(known -> known.display(index)));
  }

  private List<String> lines(KubeObject job, FailedPods.Failure failure) {
    List<String> lines = new ArrayList<>(failure.lines());
    failure.attempts().stream()
        .flatMap(attempt -> tail(job, attempt, LINES_OF_A_LOG).stream())
        .forEach(line -> lines.add("  | " + line));
    return lines;
  }

  private List<String> tail(KubeObject job, ContainerAttemptView attempt, long lines) {
    return logs.of(job).map(source -> LogTails.read(source, attempt, lines)).orElse(List.of());
  }

  /** True if a Job has failed. */
  public boolean hasFailed() {
    return JobOutcome.exitCode(told.values()) == ExitCode.FAILED;
  }

  /** Returns one line about several Jobs; empty if there is one. */
  public Optional<String> summary() {
    List<String> failed =
        told.values().stream().filter(JobOutcome::hasFailed).map(JobOutcome::job).toList();
    return jobs == 1
        ? Optional.empty()
        : Optional.of(
            "%d Jobs: %d Complete, %d Failed%s"
                .formatted(
                    jobs,
                    told.size() - failed.size(),
                    failed.size(),
                    failed.isEmpty() ? "" : " (" + String.join(", ", failed) + ")"));
  }

  /**
   * Writes the report for CI, if there is one.
   *
   * @throws UserException if it can't be written
   */
  public void write() {
    Path to = file;
    if (to == null) {
      return;
    }
    try {
      Files.writeString(to, JUnitReport.text(suites));
    } catch (IOException fault) {
      throw new UserException("--report " + to + ": cannot be written: " + fault.getMessage());
    }
  }
}
