package dev.stint.cli.simulate.outcome;

import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.output.UserException;
import dev.stint.cli.simulate.outcome.ObservedAttempts.ContainerEnd;
import dev.stint.jobs.attempts.AttemptHistory;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** Finds the attempts of a Job that its pods or the logs of this machine still know. */
public final class KeptAttempts {
  private KeptAttempts() {}

  /**
   * Finds the attempts of a Job, which may have been deleted.
   *
   * @param main the names of the main containers of a Job that was deleted
   * @throws UserException if nothing is known of the Job
   */
  public static ObservedAttempts find(JobsTarget target, String given, Set<String> main)
      throws IOException {
    String name = JobsTarget.validName(given);
    Optional<KubeObject> job =
        target.clusterIfAny().isPresent() ? target.find(name) : Optional.empty();
    List<ContainerAttemptView> found =
        AttemptHistory.find(
            target.namespace(),
            name,
            job.orElse(null),
            job.map(target::pods).orElse(List.of()),
            target.logs().orElse(null),
            false);
    if (job.isEmpty() && found.isEmpty()) {
      throw target.clusterIfAny().isPresent()
          ? target.noSuchJob(name)
          : new UserException(
              "--like: no logs are kept for a Job \"%s\" in namespace %s"
                  .formatted(name, target.namespace()));
    }
    return of(
        target.namespace() + "/" + name,
        found,
        job.map(known -> mainContainers(known.tree())).orElse(main));
  }

  /** Returns the attempts of a Job that are known already. */
  public static ObservedAttempts of(KubeObject job, List<ContainerAttemptView> known) {
    return of(job.namespace() + "/" + job.name(), known, mainContainers(job.tree()));
  }

  private static ObservedAttempts of(
      String source, List<ContainerAttemptView> known, Set<String> main) {
    return ObservedAttempts.of(source, known.stream().map(KeptAttempts::end).toList(), main);
  }

  /** Returns the names of the main containers of a Job's pods. */
  public static Set<String> mainContainers(ObjectNode job) {
    return job.at("/spec/template/spec/containers")
        .valueStream()
        .map(container -> String.valueOf(Json.text(container, "name")))
        .collect(Collectors.toSet());
  }

  static ContainerEnd end(ContainerAttemptView attempt) {
    boolean ended =
        switch (attempt.state()) {
          case SUCCEEDED -> true;
          // Its pod failed as a whole: the code does not tell.
          case FAILED -> !Integer.valueOf(0).equals(attempt.exitCode());
          case WAITING, RUNNING, STOPPED, UNKNOWN -> false;
        };
    return new ContainerEnd(
        attempt.index() == null ? attempt.run() + 1 : attempt.number(),
        attempt.pod() + "/" + attempt.run(),
        attempt.container(),
        ended ? attempt.duration(Instant.EPOCH) : null,
        ended ? attempt.exitCode() : null);
  }
}
