package dev.stint.model.job.mirror;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.job.JobStatus;
import java.util.Objects;

/** The location of the copy of a Job that a mirror hands to another cluster, as the Job says. */
public sealed interface CopyLocation {
  /** The Job has nothing to do with a mirror: its pods are where it is. */
  record NotMirrored() implements CopyLocation {}

  /**
   * The Job waits for a custom controller, which may be a mirror.
   *
   * @param manager its {@code spec.managedBy}
   */
  record Unclaimed(String manager) implements CopyLocation {}

  /**
   * A mirror has the Job, but there is no copy, or none any more.
   *
   * @param why the reason, for the user
   */
  record NoCopy(String why) implements CopyLocation {}

  /**
   * The Job has a copy.
   *
   * @param worker the name of the worker; empty if it is the only one
   * @param cluster the uid of the worker's {@code kube-system}; empty if it is not recorded
   * @param uid of the copy
   */
  record Recorded(String worker, String cluster, String uid) implements CopyLocation {}

  /** Reads where the copy of a Job is. */
  static CopyLocation of(KubeObject job) {
    String worker = Mirrored.worker(job);
    String copy = job.annotation(Mirrored.COPY);
    if (copy != null) {
      String cluster = Objects.requireNonNullElse(job.annotation(Mirrored.CLUSTER), "");
      return new Recorded(worker, cluster, copy);
    }
    String problem = Mirrored.of(job).map(Mirrored::problem).orElse("");
    if (!problem.isEmpty()) {
      return new NoCopy(problem);
    }
    if (!worker.isEmpty() || Mirrored.mayHaveCopy(job)) {
      return new NoCopy("the mirror creates it" + (worker.isEmpty() ? "" : " on " + worker));
    }
    String manager = Json.text(job.spec(), "managedBy");
    return manager == null
            || manager.equals(Names.BUILT_IN_CONTROLLER)
            || JobStatus.read(job.status()).startTime() != null
        ? new NotMirrored()
        : new Unclaimed(manager);
  }
}
