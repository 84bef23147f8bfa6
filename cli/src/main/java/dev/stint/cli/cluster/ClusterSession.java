package dev.stint.cli.cluster;

import dev.stint.cli.flag.DurationConverter;
import dev.stint.cli.follow.FollowedRun;
import dev.stint.cli.follow.RunEnd;
import dev.stint.cli.follow.RunEnd.Reason;
import dev.stint.cli.location.ClusterConnections;
import dev.stint.cli.location.TargetCommand;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.cli.report.JobOutcome;
import dev.stint.cli.run.ClusterRun;
import dev.stint.cli.submit.JobSubmission;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.jobs.JobChanges;
import dev.stint.jobs.JobInterruption;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.document.Document;
import dev.stint.model.field.FieldError;
import dev.stint.reconcile.PatientCluster;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One {@code run} on a cluster: submits the Jobs, follows them, and reports their outcome. The Jobs
 * are the cluster's: they go on without this command.
 */
public final class ClusterSession implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterSession.class);

  /** The time in which a controller takes a new Job. */
  private static final Duration TAKEN = Duration.ofSeconds(20);

  private final Console console;
  private final ClusterRun request;
  private final Cluster cluster;
  private final ClusterRunTarget target;
  private final FollowedRun run;
  private final RunEnd end;
  private final InstantSource clock = InstantSource.system();
  private final StopQuestion question;

  ClusterSession(Console console, ClusterRun request) {
    this.console = console;
    this.request = request;
    this.cluster = new PatientCluster(request.cluster(), request.timers());
    this.target = new ClusterRunTarget(request.cluster(), request.flags(), request.usual());
    this.run =
        new FollowedRun(
            console, cluster, request.timers(), target, request.jobs(), request.following());
    this.end = run.end();
    this.question = new StopQuestion(console);
  }

  /**
   * Carries out a run and returns the exit status.
   *
   * @throws UserException if a document or the cluster refuses it
   */
  public static int run(Console console, ClusterRun run) {
    try (ClusterSession session = new ClusterSession(console, run)) {
      console.signals().onEnding(session::onSignal);
      return session.run();
    }
  }

  /** Runs to the end and returns the exit status. */
  int run() {
    try {
      return carriedOut();
    } catch (ClusterException refused) {
      throw TargetCommand.userException(refused);
    }
  }

  private int carriedOut() {
    if (!request.origin().isEmpty()) {
      console.say(
          "%s, namespace %s, from %s"
              .formatted(
                  ClusterConnections.describe(request.cluster()),
                  request.namespace(),
                  request.origin()));
    }
    List<JobSubmission.Applied> applied;
    try {
      check();
      namespaces().forEach(run::followWarnings);
      run.startTimeout();
      applied = submit();
    } catch (RunEnd.EndedEarly ended) {
      LOG.debug("The command ends before all Jobs are submitted", ended);
      Reason why = end.reason().join();
      console.say(endedEarly(why));
      return run.status(why);
    }
    run.begin(applied);
    namespaces().forEach(run::follow);
    run.followLogs(applied);
    run.announce(applied);
    request.timers().after(TAKEN, this::noteUntaken);
    return close(run.await());
  }

  private String endedEarly(Reason why) {
    String cause = why instanceof Reason.TimedOut ? "--timeout passed" : "ended";
    if (request.following().repeatable()) {
      return cause + " before all Jobs were submitted; the same command submits the others";
    }
    KubeObject job = KubeObject.of(request.jobs().getFirst().tree());
    return "%s early; if the Job was created, it goes on: stint show %s%s"
        .formatted(cause, job.name(), target.flags(job));
  }

  private Stream<String> namespaces() {
    return request.jobs().stream().map(RequestedJob::namespace).distinct();
  }

  void onSignal(String signal) {
    if (!end.set(new Reason.Signalled(signal))) {
      question.giveUp();
      run.hurry();
    }
  }

  /** Refuses documents before anything is sent. */
  private void check() {
    ClusterRunRefusals refusals = new ClusterRunRefusals();
    List<String> faults =
        Stream.concat(
                request.inputs().stream(), request.jobs().stream().map(RequestedJob::document))
            .flatMap(document -> refusals.of(document).stream())
            .toList();
    refuse(faults);
    CompletableFuture<String> asked = request.cluster().version();
    end.await(asked);
    ClusterVersion version = ClusterVersion.of(asked.join());
    if (version.minor() < ClusterVersion.OLDEST) {
      console.say(
          "warning: the cluster has %s; stint run is tried with v1.%d and later"
              .formatted(version.text(), ClusterVersion.OLDEST));
    }
    refuse(
        request.jobs().stream()
            .flatMap(job ->
                VersionedFields.of(KubeObject.of(job.tree()), version).stream()
                    .map(dropped -> describe(job.document(), dropped)))
            .toList());
  }

  private static String describe(Document document, VersionedFields.Dropped dropped) {
    return document.describe(
        new FieldError(dropped.path(), FieldError.Type.NOT_SUPPORTED, dropped.detail()));
  }

  private static void refuse(List<String> faults) {
    if (!faults.isEmpty()) {
      throw new UserException(ExitCode.USAGE, faults);
    }
  }

  private List<JobSubmission.Applied> submit() {
    AppliedInputs inputs = new AppliedInputs(request.cluster(), request.namespace());
    JobSubmission submission =
        new JobSubmission(
            cluster,
            new JobSubmission.Rules(request.existing(), FeatureGates.DEFAULT, _ -> false),
            clock,
            console::say,
            new ClusterSite(
                request.cluster(), request.timers(), request.existing(), this::awaitPods));
    return submission.apply(request.jobs(), () -> inputs.apply(request.inputs())).stream()
        .map(job -> job.resumed(cluster))
        .toList();
  }

  private void awaitPods(CompletableFuture<?> future) {
    try {
      end.await(
          future,
          request.timers(),
          () -> console.say("waiting for pods of an earlier Job to stop"));
    } finally {
      future.cancel(false);
    }
  }

  /** Names Jobs that no controller has taken. */
  private void noteUntaken() {
    for (KubeObject job : run.jobs().unfinished()) {
      if (Json.text(job.status(), "startTime") == null && !JobChanges.isSuspended(job)) {
        String managedBy = Json.text(job.spec(), "managedBy");
        console.say(
            "%s: no controller has taken it yet; is %s running in this cluster?"
                .formatted(job.name(), managedBy == null ? "the built-in controller" : managedBy));
      }
    }
  }

  /** Reports the end and returns the exit status. */
  private int close(Reason why) {
    switch (why) {
      case Reason.Finished _ -> {
        run.report();
        run.markReported();
      }
      case Reason.Signalled signalled -> stopEarly(answered(signalled.signal()));
      case Reason.TimedOut timedOut -> {
        String within = DurationConverter.format(timedOut.timeout());
        stopEarly(
            job -> "%s: not finished within %s; %s".formatted(job.name(), within, goesOn(job)));
      }
      case Reason.FailedFast failed ->
          stopEarly(job -> {
            JobInterruption.begin(cluster, job.ref());
            return JobOutcome.stopped(job.name(), failed.job());
          });
      case Reason.Broken broken -> {
        console.say(broken.why());
        stopEarly(job -> job.name() + ": " + goesOn(job));
      }
    }
    return run.status(why);
  }

  /**
   * Asks the user whether to stop the Jobs or leave them running. Returns the action for each Job,
   * which says what it did.
   */
  private Function<KubeObject, String> answered(String signal) {
    StopChoice choice =
        signal.equals("INT") && !run.jobs().unfinished().isEmpty()
            ? question.ask(run.jobs().title())
            : StopChoice.LEAVE;
    return switch (choice) {
      case LEAVE -> job -> job.name() + ": " + goesOn(job);
      case SUSPEND ->
          job -> {
            JobInterruption.begin(cluster, job.ref());
            return "%s: suspended; its pods are stopped, and %s resumes it"
                .formatted(
                    job.name(),
                    request.following().repeatable()
                        ? "the same command"
                        : "stint resume " + job.name() + target.flags(job));
          };
      case CANCEL ->
          job -> {
            KubeObject changed =
                JobChanges.cancel(cluster, job, "cancelled by stint run", clock.instant());
            return job.name() + ": " + JobChanges.cancellation(changed);
          };
    };
  }

  private String goesOn(KubeObject job) {
    return "it goes on in the cluster; %s: stint wait %s%s"
        .formatted(
            request.following().repeatable()
                ? "the same command follows it again, and so does"
                : "follow it again with",
            job.name(),
            target.flags(job));
  }

  /** Reports the Jobs that have ended, and does something about the others. */
  private void stopEarly(Function<KubeObject, String> unfinished) {
    run.reportEarly(job -> {
      try {
        return unfinished.apply(job);
      } catch (ClusterException refused) {
        return "%s: %s; it goes on".formatted(job.name(), refused.getMessage());
      }
    });
  }

  @Override
  public void close() {
    run.close();
  }
}
