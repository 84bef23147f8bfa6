package dev.stint.cli.run;

import dev.stint.cli.follow.FollowOptions;
import dev.stint.cli.follow.FollowedRun;
import dev.stint.cli.follow.RunEnd;
import dev.stint.cli.follow.RunEnd.Reason;
import dev.stint.cli.location.TargetCommand;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.InterruptSignals;
import dev.stint.cli.report.JobOutcome;
import dev.stint.cli.share.MachineOptions;
import dev.stint.cli.share.SharedDirectory;
import dev.stint.cli.share.Workplace;
import dev.stint.cli.submit.ExistingJobs;
import dev.stint.cli.submit.JobSubmission;
import dev.stint.cli.submit.RequestedInput;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.cluster.ClusterException;
import dev.stint.embedded.ThreadTimers;
import dev.stint.embedded.share.JobClaim;
import dev.stint.model.KubeObject;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One {@code run}: submits the given Jobs where they are worked on, follows them, and reports their
 * outcome.
 */
public final class RunSession implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunSession.class);

  /**
   * The options of a run.
   *
   * @param machine the options of this machine, if this command is the one that runs pods
   * @param inputs config maps and secrets that the Jobs may name
   */
  record Options(
      MachineOptions machine,
      ExistingJobs existing,
      List<RequestedInput> inputs,
      FollowOptions following) {}

  private final Console console;
  private final List<RequestedJob> requested;
  private final Workplace place;
  private final ThreadTimers timers = new ThreadTimers();
  private final FollowedRun run;
  private final RunEnd end;
  private final JobsInterruption interruption;
  private final ClaimedSubmission submission;
  private final InterruptSignals signals;

  /** The command that resumes the Jobs. */
  private final String resumption;

  private boolean submitted;

  RunSession(Console console, Options options, List<RequestedJob> requested, Workplace place) {
    this.console = console;
    this.requested = requested;
    this.place = place;
    MachineOptions machine = options.machine();
    this.resumption =
        options.following().repeatable()
            ? "the same command"
            : "stint up" + machine.data().flag(console.environment());
    this.run =
        new FollowedRun(
            console,
            place.cluster(),
            timers,
            new LocalRunTarget(machine.data(), console.environment(), machine.runtime()),
            requested,
            options.following());
    this.end = run.end();
    InstantSource clock = InstantSource.system();
    this.signals = new InterruptSignals(clock, console.terminal());
    end.reason().thenRun(signals::onStop);
    this.interruption = new JobsInterruption(place.cluster());
    run.jobs().addListener(interruption);
    this.submission =
        new ClaimedSubmission(console, options, place, timers, clock, interruption, end);
  }

  /**
   * Opens the data directory, or joins the command that has it open.
   *
   * @throws UserException if neither is possible
   */
  static RunSession open(Console console, Options options, List<RequestedJob> requested) {
    return new RunSession(
        console, options, requested, SharedDirectory.open(console, options.machine()));
  }

  /**
   * Refuses Jobs whose pods can never run. Called once it is known where the Jobs are worked on:
   * the command that holds the directory says what all pods share.
   *
   * @throws UserException if there is such a Job
   */
  void refuseWhatNeverFits() {
    new ResourceRefusals(place.machine()).check(requested);
  }

  /**
   * Runs to the end and returns the exit status.
   *
   * @throws UserException if a Job, or what belongs to it, is refused
   */
  int run() {
    console.signals().onEnding(this::onSignal);
    place.failure().thenAccept(this::onFailure);
    List<JobSubmission.Applied> applied;
    try {
      run.followWarnings(null);
      run.startTimeout();
      applied = submission.submit(requested);
    } catch (RunEnd.EndedEarly ended) {
      LOG.debug("The command ends before all Jobs are submitted", ended);
      return endedEarly(end.reason().join());
    } catch (ClusterException refused) {
      return refused(refused);
    }
    submitted = true;
    run.begin(applied);
    run.follow(null);
    run.followLogs(applied);
    place.start();
    run.announce(applied);
    return close(run.await());
  }

  private int endedEarly(Reason why) {
    if (why instanceof Reason.TimedOut) {
      console.say(
          "--timeout passed before all Jobs were submitted; %s goes on with them"
              .formatted(resumption));
    }
    return close(why);
  }

  /** An API that cannot be used any more refuses everything: then the user learns why that is. */
  private int refused(ClusterException refusal) {
    if (end.reason().getNow(null) instanceof Reason.Broken broken) {
      LOG.debug("The directory cannot be used any more", refusal);
      return close(broken);
    }
    throw TargetCommand.userException(refusal);
  }

  private void onFailure(String why) {
    end.set(new Reason.Broken(why));
    interruption.giveUp();
  }

  private void onSignal(String signal) {
    if (!end.set(new Reason.Signalled(signal))
        && !(end.reason().join() instanceof Reason.Finished)
        && signals.isRepeated(signal)
        && !interruption.endNow()) {
      place.interruptNow();
    }
  }

  /** Reports the end, ends the pods that still run, and returns the exit status. */
  private int close(Reason why) {
    switch (why) {
      case Reason.Finished _ -> finish();
      case Reason.Signalled _ -> {
        console.say("stopping pods; press Ctrl-C again to kill them at once");
        stopEarly(job -> JobOutcome.interrupted(job.name(), resumption));
      }
      case Reason.TimedOut timedOut ->
          stopEarly(job -> JobOutcome.timedOut(job.name(), timedOut.timeout(), resumption));
      case Reason.FailedFast failed ->
          stopEarly(job -> JobOutcome.stopped(job.name(), failed.job()));
      case Reason.Broken broken -> {
        console.say(broken.why());
        console.say(
            "no acknowledged write is lost; fix the cause, and %s resumes the work"
                .formatted(resumption));
        stop();
      }
    }
    return run.status(why);
  }

  private void finish() {
    run.report();
    place.stop();
    run.markReported();
    releaseIfSubmitted();
  }

  /** Stops all pods and reports every Job. */
  private void stopEarly(Function<KubeObject, String> unfinished) {
    stop();
    run.reportEarly(unfinished);
    releaseIfSubmitted();
  }

  private void releaseIfSubmitted() {
    if (submitted) {
      place.release();
    }
  }

  /**
   * Ends the pods of our Jobs; those of others go on. Jobs of a submission that was cut short have
   * no follower here, so whoever holds the directory waits for the end of their pods.
   */
  private void stop() {
    place.onInterruption();
    if (!place.isShared()) {
      place.interrupt();
    } else if (submitted) {
      interruption.interrupt(run.jobs().unfinished().stream().map(KubeObject::ref).toList());
    } else {
      interruption.begin(submission.claimed().stream().map(JobClaim::ref).toList());
    }
  }

  @Override
  public void close() {
    run.close();
    place.close();
    timers.close();
  }
}
