package dev.stint.cli.job;

import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.ClusterException;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.JobItems;
import dev.stint.jobs.WaitingPods;
import dev.stint.jobs.attempts.AttemptHistory;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.Sidecars;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that select attempts of a Job. */
final class AttemptOptions {
  @Option(
      names = {"--index", "--indexes"},
      paramLabel = "LIST",
      description = "Select these indexes, such as 3,7-9.")
  @Nullable IndexSet indexes;

  @Option(
      names = "--attempt",
      paramLabel = "N",
      description = "Select one attempt of each index, counted from 1; -1 is the last.")
  @Nullable Integer number;

  @Option(names = "--failed", description = "Select failed attempts.")
  boolean failed;

  @Option(
      names = {"-c", "--container"},
      paramLabel = "NAME",
      description = "Select this container.")
  @Nullable String container;

  @Option(
      names = "--all",
      description = "Include earlier Jobs of the same name whose logs are kept.")
  boolean all;

  /** The selection. */
  record Choice(
      @Nullable IndexSet indexes,
      @Nullable Integer number,
      boolean failed,
      @Nullable String container) {
    /** Selects everything. */
    static final Choice ALL = new Choice(null, null, false, null);

    /**
     * Returns the selected attempts, in their order.
     *
     * @param sidecars containers that end with their pod, which is not a failure
     */
    List<ContainerAttemptView> of(List<ContainerAttemptView> attempts, Set<String> sidecars) {
      return attempts.stream()
          .filter(each -> indexes == null || each.index() != null && indexes.contains(each.index()))
          .filter(each -> container == null || container.equals(each.container()))
          .filter(each -> !failed || each.state() == ContainerAttemptView.State.FAILED)
          .filter(each -> !failed || !sidecars.contains(each.container()))
          .filter(each -> number == null || number == each.number() || isLast(each, attempts))
          .toList();
    }

    private boolean isLast(ContainerAttemptView attempt, List<ContainerAttemptView> attempts) {
      return number != null
          && number == -1
          && attempts.stream()
              .filter(other -> java.util.Objects.equals(other.index(), attempt.index()))
              .noneMatch(other -> other.number() > attempt.number());
    }
  }

  /** Rejects a number that no attempt has. */
  void check() {
    if (number != null && (number == 0 || number < -1)) {
      throw new UserException(
          "--attempt is " + number + "; attempts count from 1, and -1 is the last one");
    }
  }

  Choice choice() {
    return new Choice(indexes, number, failed, container);
  }

  /**
   * Finds the selected attempts of a Job.
   *
   * @throws UserException if nothing is known of the Job
   */
  List<ContainerAttemptView> find(JobsTarget target, String given) throws IOException {
    Optional<KubeObject> job =
        target.clusterIfAny().isPresent() ? target.find(given) : Optional.empty();
    List<ContainerAttemptView> found = find(target, given, job.orElse(null), all);
    if (job.isEmpty() && found.isEmpty()) {
      if (target.clusterIfAny().isEmpty()) {
        throw new UserException(
            "no logs are kept for a Job \"%s\" in namespace %s"
                .formatted(JobsTarget.name(given), target.namespace()));
      }
      throw target.noSuchJob(given);
    }
    return choice().of(found, job.map(Sidecars::of).orElse(Set.of()));
  }

  /** Finds all attempts of a Job. */
  static List<ContainerAttemptView> find(
      JobsTarget target, String given, @Nullable KubeObject job, boolean ofEarlierJobs)
      throws IOException {
    List<ContainerAttemptView> found =
        AttemptHistory.find(
            target.namespace(),
            JobsTarget.validName(given),
            job,
            job == null ? List.of() : target.pods(job),
            target.logs().orElse(null),
            ofEarlierJobs);
    return WaitingPods.explained(named(found, target, job), () -> events(target));
  }

  /** Adds what the indexes of a Job work on, as far as that is known. */
  private static List<ContainerAttemptView> named(
      List<ContainerAttemptView> found, JobsTarget target, @Nullable KubeObject job) {
    Optional<JobItems> items =
        job == null ? Optional.empty() : JobItems.readable(target.cluster(), job);
    return found.stream().map(attempt -> JobItems.named(attempt, items)).toList();
  }

  /** Returns no events if they may not be read. */
  private static List<KubeObject> events(JobsTarget target) {
    try {
      return ApiCalls.await(target.cluster().list(Kind.EVENT, target.namespace())).items();
    } catch (ClusterException refused) {
      return List.of();
    }
  }
}
