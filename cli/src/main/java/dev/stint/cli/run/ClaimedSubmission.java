package dev.stint.cli.run;

import dev.stint.cli.follow.RunEnd;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.UserException;
import dev.stint.cli.report.JobOutcome;
import dev.stint.cli.share.Workplace;
import dev.stint.cli.submit.JobSubmission;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.Timers;
import dev.stint.embedded.share.JobClaim;
import dev.stint.model.KubeObject;
import dev.stint.runner.process.SuccessesOnDisk;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** The first part of a {@code run}: claims its Jobs, and submits them where they are worked on. */
final class ClaimedSubmission {
  private final Console console;
  private final RunSession.Options options;
  private final Workplace place;
  private final Timers timers;
  private final InstantSource clock;
  private final JobsInterruption interruption;
  private final RunEnd end;
  private final List<JobClaim> claimed = new ArrayList<>();

  ClaimedSubmission(
      Console console,
      RunSession.Options options,
      Workplace place,
      Timers timers,
      InstantSource clock,
      JobsInterruption interruption,
      RunEnd end) {
    this.console = console;
    this.options = options;
    this.place = place;
    this.timers = timers;
    this.clock = clock;
    this.interruption = interruption;
    this.end = end;
  }

  /**
   * Claims and submits Jobs.
   *
   * @throws UserException if one is refused, or another command has it
   * @throws RunEnd.EndedEarly if this command is to end before
   */
  List<JobSubmission.Applied> submit(List<RequestedJob> requested) {
    claim(requested.stream().map(this::claim).toList());
    JobSubmission submission =
        new JobSubmission(
            place.cluster(), rules(), clock, console::say, place.isShared(), this::beforeRemoval);
    return submission.apply(requested, () -> submission.createInputs(options.inputs())).stream()
        .map(job -> job.resumed(place.cluster()))
        .toList();
  }

  /** Returns the claims that this command has got. */
  List<JobClaim> claimed() {
    return List.copyOf(claimed);
  }

  private JobClaim claim(RequestedJob job) {
    return claim(job.namespace(), job.name(), job.decidesOnDisruptions());
  }

  private JobClaim claim(String namespace, String name, boolean decidesOnDisruptions) {
    return new JobClaim(
        namespace,
        name,
        "stint run (pid " + ProcessHandle.current().pid() + ")",
        decidesOnDisruptions,
        options.machine().surroundings());
  }

  /** Claims Jobs, and waits until they are free. */
  private void claim(List<JobClaim> claims) {
    try {
      end.await(
          place.claim(claims),
          timers,
          () -> console.say("waiting for pods of a command that has ended to stop"));
    } catch (ClusterException refused) {
      throw new UserException(String.valueOf(refused.getMessage()));
    }
    claimed.addAll(claims);
  }

  private JobSubmission.Rules rules() {
    return new JobSubmission.Rules(
        options.existing(),
        options.machine().controller().featureGates(),
        new SuccessesOnDisk(options.machine().data().pods())::has);
  }

  /**
   * Ends the pods of a Job that is about to be replaced while controllers work on it. A controller
   * works on claimed Jobs only, and the name may be another one than that of the new Job.
   */
  private void beforeRemoval(KubeObject job) {
    if (place.isWorking() && JobOutcome.of(job).isEmpty()) {
      JobClaim claim = claim(job.namespace(), job.name(), false);
      if (claimed.stream().noneMatch(each -> each.key().equals(claim.key()))) {
        claim(List.of(claim));
      }
      interruption.interruptFirst(job.ref(), timers, end);
    }
  }
}
