package dev.stint.cli.location;

import dev.stint.cli.flag.NamedCluster;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.ClusterException;
import dev.stint.controllers.mirror.MirrorWorker;
import dev.stint.jobs.ApiCalls;
import dev.stint.model.KubeObject;
import dev.stint.model.job.mirror.CopyLocation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Searches for the copy of a mirrored Job with the user's own kubeconfig files. The copy is known
 * by its uid, whatever the workers are called; the one that has the recorded name is asked first.
 */
public final class CopyFinder {
  private static final String ONLY_WORKER = "worker";

  private final List<NamedCluster> workers;
  private final KubeObject job;
  private final CopyLocation.Recorded copy;
  private final List<String> findings = new ArrayList<>();
  private final List<String> silent = new ArrayList<>();
  private boolean wasDeleted;

  CopyFinder(List<NamedCluster> workers, KubeObject job, CopyLocation.Recorded copy) {
    this.workers =
        workers.stream()
            .sorted(Comparator.comparing(worker -> !worker.name().equals(copy.worker())))
            .toList();
    this.job = job;
    this.copy = copy;
  }

  /** Returns the name of the worker that has a copy. */
  static String name(CopyLocation.Recorded copy) {
    return copy.worker().isEmpty() ? ONLY_WORKER : copy.worker();
  }

  /** Returns a worker's name in sentences. */
  public static String title(CopyLocation.Recorded copy) {
    return copy.worker().isEmpty() ? "its worker" : "its worker " + copy.worker();
  }

  /**
   * Opens the worker that has the copy.
   *
   * @throws UserException if none has
   */
  public JobsTarget open() {
    return find().orElseThrow(() -> new UserException(failure()));
  }

  /** Opens the worker that has the copy; empty if none has. */
  public Optional<JobsTarget> find() {
    findings.clear();
    silent.clear();
    wasDeleted = false;
    for (NamedCluster worker : workers) {
      String flag = "--worker " + worker.name() + ":";
      ChosenTarget.Far place =
          new ChosenTarget.Far(List.of(worker.kubeconfig()), worker.context(), flag, false);
      JobsTarget target = JobsTarget.ofCluster(place, job.namespace(), "");
      if (hasCopy(target, worker.name())) {
        return Optional.of(target);
      }
      target.close();
    }
    return Optional.empty();
  }

  /** True if a worker did not answer at the last search, which may have the copy. */
  public boolean isAnySilent() {
    return !silent.isEmpty() && !wasDeleted;
  }

  /** Returns one line that says why the last search found no copy, and what to do. */
  public String failure() {
    String found = String.join("; ", isAnySilent() ? silent : findings);
    boolean isNamed =
        copy.worker().isEmpty()
            || workers.stream().anyMatch(worker -> worker.name().equals(copy.worker()));
    return isNamed
        ? "the copy of %s was not found: %s".formatted(job.name(), found)
        : "the copy of %s is on %s; add --worker %s=FILE with your kubeconfig of that cluster (%s)"
            .formatted(job.name(), title(copy), name(copy), found);
  }

  private boolean hasCopy(JobsTarget target, String worker) {
    try {
      KubeObject found = ApiCalls.find(target.cluster(), job.ref());
      if (found != null && found.uid().equals(copy.uid())) {
        return true;
      }
      findings.add(worker + " " + explainAbsence(target));
    } catch (ClusterException refused) {
      (refused.isTransient() ? silent : findings).add(worker + ": " + refused.getMessage());
    }
    return false;
  }

  private String explainAbsence(JobsTarget target) {
    try {
      boolean hadIt =
          ApiCalls.await(MirrorWorker.identity(target.cluster())).equals(copy.cluster());
      wasDeleted |= hadIt;
      return hadIt
          ? "had it, but it was deleted, and its logs with it"
          : "is another cluster than the one with the copy; check its kubeconfig and context";
    } catch (ClusterException unknown) {
      return "has no such Job; it was deleted, or this is another cluster";
    }
  }
}
