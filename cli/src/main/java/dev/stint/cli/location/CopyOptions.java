package dev.stint.cli.location;

import dev.stint.cli.flag.NamedCluster;
import dev.stint.cli.flag.NamedClusterConverter;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ShellQuoting;
import dev.stint.cli.output.UserException;
import dev.stint.model.KubeObject;
import dev.stint.model.job.mirror.CopyLocation;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/**
 * The flags that name the user's own kubeconfig files of a mirror's workers, where the pods of
 * mirrored Jobs are (decision 111).
 */
public final class CopyOptions {
  @Option(
      names = "--worker",
      paramLabel = "NAME=FILE[:CONTEXT]",
      converter = NamedClusterConverter.class,
      description =
          "Your kubeconfig of a worker of stint mirror, to read the pods of a mirrored Job there; "
              + "may be repeated for other workers. Other Jobs are read where they are.")
  List<NamedCluster> workers = List.of();

  /** True if workers are named. */
  public boolean isGiven() {
    return !workers.isEmpty();
  }

  /** Returns the same flags for another command, each with a space before it. */
  public String flags() {
    return workers.stream()
        .map(worker ->
            ShellQuoting.flag(
                "--worker",
                worker.name()
                    + "="
                    + worker.kubeconfig()
                    + (worker.context() == null ? "" : ":" + worker.context())))
        .collect(Collectors.joining());
  }

  /** Returns a Job that a mirror has, or may get; empty if no worker is named. */
  public Optional<KubeObject> findMirrored(JobsTarget target, String job) {
    return (isGiven() ? find(target, job) : Optional.<KubeObject>empty())
        .filter(found -> !(CopyLocation.of(found) instanceof CopyLocation.NotMirrored));
  }

  /** Returns a search for the copy of a Job. */
  public CopyFinder finder(KubeObject job, CopyLocation.Recorded copy) {
    return new CopyFinder(workers, job, copy);
  }

  /**
   * Does some work where the pods of a Job are: on the worker with its copy if it is mirrored, and
   * else on the given place.
   *
   * @throws UserException if the copy is not found
   */
  public <T> T with(Console console, JobsTarget target, String job, TargetOptions.Work<T> work)
      throws IOException {
    Optional<KubeObject> found = isGiven() ? find(target, job) : Optional.empty();
    if (found.isEmpty()) {
      return work.on(target);
    }
    return switch (CopyLocation.of(found.get())) {
      case CopyLocation.NotMirrored() -> {
        console.say(JobsTarget.name(job) + " is not mirrored; --worker is not used");
        yield work.on(target);
      }
      case CopyLocation.Recorded copy -> {
        try (JobsTarget worker = finder(found.get(), copy).open()) {
          yield work.on(worker);
        }
      }
      case CopyLocation missing -> throw new UserException(noCopy(found.get(), missing));
    };
  }

  /** Returns one line about a Job that has no copy. */
  public static String noCopy(KubeObject job, CopyLocation missing) {
    String why =
        switch (missing) {
          case CopyLocation.NoCopy(String reason) -> reason;
          case CopyLocation.Unclaimed(String manager) ->
              "no stint mirror --claim %s has taken it".formatted(manager);
          case CopyLocation.NotMirrored() -> "it is not mirrored";
          case CopyLocation.Recorded _ -> "";
        };
    return "%s has no copy on a worker yet: %s".formatted(job.name(), why);
  }

  /**
   * Refuses to look for pods of a mirrored Job where it is, if no worker is named.
   *
   * @throws UserException if a mirror has the Job
   */
  public void checkNotMirrored(JobsTarget target, String job) {
    Optional<KubeObject> found = isGiven() ? Optional.empty() : find(target, job);
    switch (found.map(CopyLocation::of).orElseGet(CopyLocation.NotMirrored::new)) {
      case CopyLocation.Recorded copy ->
          throw new UserException(
              "the pods and logs of %s are on %s; name your kubeconfig of that cluster with --worker %s=FILE"
                  .formatted(JobsTarget.name(job), CopyFinder.title(copy), CopyFinder.name(copy)));
      case CopyLocation.NoCopy missing ->
          throw new UserException(noCopy(found.orElseThrow(), missing));
      case CopyLocation.Unclaimed _, CopyLocation.NotMirrored _ -> {}
    }
  }

  private static Optional<KubeObject> find(JobsTarget target, String job) {
    return target.clusterIfAny().flatMap(_ -> target.find(job));
  }
}
