package dev.stint.cli.job;

import dev.stint.cli.location.CopyOptions;
import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.location.RemoteLogs;
import dev.stint.cli.location.TargetCommand;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.ClusterException;
import dev.stint.jobs.DisplayText;
import dev.stint.jobs.JobState;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.model.KubeObject;
import dev.stint.runner.log.LogStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stint logs JOB}: prints the logs of a Job's attempts. */
@Command(
    name = "logs",
    description = {
      "Print the logs of a Job, by index and attempt.",
      "Logs on this machine are kept after the pods and the Job are deleted."
    },
    footer = {
      "",
      "A prefix such as [7 #2] means index 7, attempt 2. What the index works on stands behind it,",
      "if the Job was made from a list: [7 #2 a.txt].",
      "",
      "Examples:",
      "  stint logs hello --failed --attempt -1 --tail 20",
      "  stint logs hello -f --index 3,7-9"
    })
public final class LogsCommand extends TargetCommand {
  private static final int LONGEST_ITEM = 40;

  @Parameters(paramLabel = "JOB", description = "Name of the Job.")
  String job = "";

  @Mixin AttemptOptions attempts = new AttemptOptions();

  @Mixin CopyOptions copies = new CopyOptions();

  @Option(
      names = {"-f", "--follow"},
      description = "Follow the logs until the Job is finished.")
  boolean follow;

  @Option(
      names = "--prefix",
      negatable = true,
      description =
          "Prefix each line with its index and attempt (default: if there are several attempts).")
  @Nullable Boolean prefix;

  @Option(names = "--timestamps", description = "Prefix each line with its time.")
  boolean timestamps;

  @Option(
      names = "--by-time",
      description =
          "Print the lines of all attempts in order of time, for at most 200 attempts "
              + "(default: one attempt after the other).")
  boolean byTime;

  @Option(
      names = "--tail",
      paramLabel = "N",
      description = "Number of lines to print from the end of each log.")
  @Nullable Long tail;

  /** The flags that select one stream. */
  static final class Streams {
    @Option(
        names = "--stdout",
        required = true,
        description = "Print only what was written to the standard output.")
    boolean stdout;

    @Option(
        names = "--stderr",
        required = true,
        description = "Print only what was written to the standard error.")
    boolean stderr;
  }

  @ArgGroup(exclusive = true)
  Streams streams = new Streams();

  @Option(
      names = "--since",
      paramLabel = "DURATION",
      description = "Print only lines that are newer than this, such as 10m.")
  @Nullable Duration since;

  /** True if a log could not be read. */
  private boolean unread;

  public LogsCommand(Console console) {
    super(console);
  }

  @Override
  public void check() {
    attempts.check();
    if (tail != null && tail < 0) {
      throw new UserException("--tail is " + tail + "; it must be at least 0");
    }
    if (follow && byTime) {
      throw new UserException("-f prints lines as they arrive; remove --by-time");
    }
    if (follow && (attempts.choice().failed() || attempts.choice().number() != null)) {
      throw new UserException(
          "-f cannot select attempts that have not ended; remove --failed and --attempt");
    }
  }

  @Override
  public ExitCode run(JobsTarget target) throws IOException {
    try {
      Optional<KubeObject> mirrored = follow ? copies.findMirrored(target, job) : Optional.empty();
      if (mirrored.isEmpty() || !followCopies(target, mirrored.get())) {
        copies.with(console, target, job, this::print);
      }
    } catch (LinePrefixer.ReaderGone enough) {
      return ExitCode.OK;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    return unread ? ExitCode.USAGE : ExitCode.OK;
  }

  /** Follows the logs of a Job on workers; false if it turns out not to be mirrored. */
  private boolean followCopies(JobsTarget target, KubeObject mirrored)
      throws IOException, InterruptedException {
    FollowedCopies followed =
        new FollowedCopies(console, clock, copies, mirrored, new CopyReader());
    boolean isMirrored = followed.follow(target);
    unread = followed.isIncomplete();
    return isMirrored;
  }

  /** Reads the logs of copies on workers. */
  private final class CopyReader implements FollowedCopies.Reader {
    @Override
    public FollowedLogs prepare(JobsTarget worker, @Nullable Instant from) {
      LogSource.View view = view();
      return followedLogs(
          worker,
          from == null ? view : new LogSource.View(view.timestamps(), null, from, view.streams()));
    }

    @Override
    public void follow(JobsTarget worker, FollowedLogs logs)
        throws IOException, InterruptedException {
      logs.follow(JobsTarget.name(job), attempts.find(worker, job));
    }
  }

  /** Prints the logs of the pods in a place. */
  private boolean print(JobsTarget target) throws IOException {
    List<ContainerAttemptView> found = attempts.find(target, job);
    if (found.isEmpty()) {
      copies.checkNotMirrored(target, job);
    }
    try {
      if (follow && target.hasController()) {
        follow(target, found);
      } else {
        copy(found, RemoteLogs.of(target, JobsTarget.name(job)), view());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    return unread;
  }

  private FollowedLogs followedLogs(JobsTarget target, LogSource.View view) {
    boolean prefixed = prefix == null || prefix;
    return new FollowedLogs(
        console,
        new FollowedLogs.JobLocation(
            target::cluster, target.namespace(), target.timers(), target::random),
        RemoteLogs.of(target, JobsTarget.name(job)),
        view,
        attempts.choice(),
        prefixed ? LogsCommand::prefix : (_, _) -> "");
  }

  private void follow(JobsTarget target, List<ContainerAttemptView> found)
      throws IOException, InterruptedException {
    FollowedLogs logs = followedLogs(target, view());
    Optional<CompletableFuture<?>> holder = target.holder();
    if (holder.isPresent()) {
      logs.followFiles(() -> attempts.find(target, job), holder.get());
    } else {
      List<KubeObject> followed = target.find(job).stream().toList();
      target
          .left(() -> followed)
          .whenComplete((_, _) -> onLeft(console, job, () -> isAbandoned(target), logs));
      logs.follow(JobsTarget.name(job), found);
    }
    unread = logs.isIncomplete();
  }

  /** True if nothing works on the Job any more, although it is not finished. */
  private boolean isAbandoned(JobsTarget target) {
    return !target.isReleased()
        && target.find(job).filter(now -> !JobState.of(now).isFinished()).isPresent();
  }

  /** Ends the logs of a Job whose command has ended, or that nothing works on any more. */
  static void onLeft(Console console, String job, BooleanSupplier isAbandoned, FollowedLogs logs) {
    try {
      if (isAbandoned.getAsBoolean()) {
        console.say(
            JobsTarget.name(job)
                + ": the command that ran it has ended; run that command again to go on");
      }
    } catch (ClusterException unknown) {
      console.say(
          JobsTarget.name(job)
              + ": the command that ran it has ended, and its state is unknown: "
              + unknown.getMessage());
    } finally {
      logs.stop();
    }
  }

  private void copy(List<ContainerAttemptView> found, LogSource source, LogSource.View view)
      throws IOException, InterruptedException {
    List<ContainerAttemptView> started =
        found.stream().filter(each -> each.state() != ContainerAttemptView.State.WAITING).toList();
    if (started.isEmpty()) {
      console.say(JobsTarget.name(job) + ": no such attempt has started");
    }
    boolean prefixed = prefix == null ? started.size() > 1 : prefix;
    boolean containers =
        started.stream().map(ContainerAttemptView::container).distinct().count() > 1;
    if (byTime && started.size() > 1) {
      merge(started, found, source, view, attempt -> prefixed ? prefix(attempt, containers) : "");
      return;
    }
    for (ContainerAttemptView attempt : started) {
      LinePrefixer out =
          new LinePrefixer(console.out(), prefixed ? prefix(attempt, containers) : "");
      try {
        source.copy(attempt, isLatest(attempt, found), view, null, out);
      } catch (ClusterException gone) {
        console.say(prefix(attempt, containers).strip() + " " + gone.getMessage());
        unread = true;
      }
    }
    console.out().flush();
  }

  private void merge(
      List<ContainerAttemptView> started,
      List<ContainerAttemptView> found,
      LogSource source,
      LogSource.View view,
      Function<ContainerAttemptView, String> prefix)
      throws IOException, InterruptedException {
    if (started.size() > MergedLogs.MOST) {
      throw new UserException(
          "--by-time accepts at most %d attempts, but %d are selected; select fewer with --index, --attempt or --failed"
              .formatted(MergedLogs.MOST, started.size()));
    }
    LogSource.View timed = new LogSource.View(true, view.tail(), view.since(), view.streams());
    MergedLogs logs = new MergedLogs(view.timestamps());
    for (ContainerAttemptView attempt : started) {
      logs.add(
          prefix.apply(attempt),
          out -> source.copy(attempt, isLatest(attempt, found), timed, null, out));
    }
    unread = !logs.copyTo(new LinePrefixer(console.out(), ""), console);
    console.out().flush();
  }

  private static boolean isLatest(ContainerAttemptView attempt, List<ContainerAttemptView> found) {
    return found.stream()
        .filter(other -> other.pod().equals(attempt.pod()))
        .filter(other -> other.container().equals(attempt.container()))
        .noneMatch(other -> other.run() > attempt.run());
  }

  private LogSource.View view() {
    Instant from = since == null ? null : clock.instant().minus(since);
    return new LogSource.View(timestamps, tail, from, streams());
  }

  private Set<LogStream> streams() {
    return streams.stdout == streams.stderr
        ? Set.of(LogStream.values())
        : Set.of(streams.stdout ? LogStream.STDOUT : LogStream.STDERR);
  }

  /** Returns the prefix that names a line's attempt, with a space at its end. */
  static String prefix(ContainerAttemptView attempt, boolean container) {
    String who =
        attempt.index() == null ? attempt.pod() : attempt.index() + " #" + attempt.number();
    String item = attempt.item() == null ? "" : " " + DisplayText.cut(attempt.item(), LONGEST_ITEM);
    return "[" + who + item + (container ? " " + attempt.container() : "") + "] ";
  }
}
