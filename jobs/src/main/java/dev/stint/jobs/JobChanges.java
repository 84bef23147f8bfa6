package dev.stint.jobs;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.Timestamps;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Changes to Jobs that users ask for. Any client of the API could make them. */
public final class JobChanges {
  private static final int TRIES = 10;

  private JobChanges() {}

  public static boolean isSuspended(KubeObject job) {
    return Boolean.TRUE.equals(Json.bool(job.spec(), "suspend"));
  }

  /** Returns one line that says why a Job can be neither suspended nor resumed; empty if it can. */
  public static String refusalToSuspend(KubeObject job) {
    return JobState.of(job).isFinished() ? job.name() + " is finished; rerun it instead" : "";
  }

  /** Returns one line that says why a Job cannot be cancelled; empty if it can. */
  public static String refusalToCancel(KubeObject job) {
    return switch (JobState.of(job)) {
      case COMPLETE, FAILED -> job.name() + " is already finished";
      case SUCCEEDING -> job.name() + " has already succeeded; its last pods are being stopped";
      case DELETING -> job.name() + " is being deleted";
      case WAITING, RUNNING, INTERRUPTED, SUSPENDED, FAILING -> "";
    };
  }

  /** Returns one line that says why a Job cannot be deleted; empty if it can. */
  public static String refusalToDelete(KubeObject job) {
    return job.deletionTimestamp() == null ? "" : job.name() + " is being deleted";
  }

  /**
   * Suspends or resumes a Job.
   *
   * @return the changed Job
   */
  public static KubeObject suspend(Cluster cluster, KubeObject job, boolean suspend) {
    return ApiCalls.await(cluster.patch(job.ref(), suspension(job, suspend)));
  }

  /** Returns the patch that suspends or resumes a Job. */
  static ObjectNode suspension(KubeObject job, boolean suspend) {
    ObjectNode patch = Json.object();
    ObjectNode metadata = patch.putObject("metadata").put("uid", job.uid());
    if (job.annotation(RunAnnotations.INTERRUPTED) != null) {
      metadata.putObject("annotations").putNull(RunAnnotations.INTERRUPTED);
    }
    patch.putObject("spec").put("suspend", suspend);
    return patch;
  }

  /**
   * Marks a Job as failing. Its controller then ends its pods, counts them, and sets {@code Failed}
   * with the reason of {@code FailureTarget} (KEP-4368). Our controller and the one of Kubernetes
   * both do this.
   */
  public static KubeObject fail(
      Cluster cluster, KubeObject job, String reason, String message, Instant now) {
    KubeObject current = job;
    for (int i = 1; ; i++) {
      JobStatus status = JobStatus.read(current.status());
      if (status.isFinished()
          || status.isTrue(JobCondition.FAILURE_TARGET)
          || status.isTrue(JobCondition.SUCCESS_CRITERIA_MET)) {
        return current;
      }
      try {
        return ApiCalls.await(
            cluster.patchStatus(current.ref(), failing(current, reason, message, now)));
      } catch (ClusterException refused) {
        if (refused.reason() != Reason.CONFLICT || i == TRIES) {
          throw refused;
        }
        current = ApiCalls.await(cluster.get(current.ref()));
      }
    }
  }

  /**
   * Fails a Job with the reason {@code Cancelled}. A user who may change Jobs but not their
   * statuses, such as one with the role edit, sets a deadline that has passed instead, see {@link
   * DeadlineCancellation}. A suspended Job stays suspended then, since its deadline counts from
   * when it is resumed.
   */
  public static KubeObject cancel(Cluster cluster, KubeObject job, String message, Instant now) {
    try {
      return fail(cluster, job, JobExplanation.CANCELLED, message, now);
    } catch (ClusterException refused) {
      if (refused.reason() != Reason.FORBIDDEN) {
        throw refused;
      }
      return ApiCalls.await(cluster.patch(job.ref(), DeadlineCancellation.patch(job, message)));
    }
  }

  /** Returns what has become of a Job that was cancelled, in words. */
  public static String cancellation(KubeObject changed) {
    return switch (JobState.of(changed)) {
      case SUSPENDED, INTERRUPTED ->
          "stays suspended, as you may not write its status; it fails one second after it is "
              + "resumed, or delete it";
      default -> "cancelled; its pods are being stopped";
    };
  }

  /**
   * Returns the patch that marks a Job as failing. A failed Job needs a start time, which no
   * controller gives to a suspended one: that of Kubernetes never ends it then.
   */
  private static ObjectNode failing(KubeObject job, String reason, String message, Instant now) {
    JobStatus failing =
        JobStatus.EMPTY.with(JobCondition.of(JobCondition.FAILURE_TARGET, reason, message, now));
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("uid", job.uid()).put("resourceVersion", job.resourceVersion());
    ArrayNode conditions = patch.putObject("status").putArray("conditions");
    ArrayNode before = Json.arrayAt(job.status(), "conditions");
    if (before != null) {
      before.forEach(condition -> {
        if (!JobCondition.FAILURE_TARGET.equals(Json.text(condition, "type"))) {
          conditions.add(condition);
        }
      });
    }
    ArrayNode added = Json.arrayAt(failing.write(), "conditions");
    if (added != null) {
      conditions.addAll(added);
    }
    if (isSuspended(job) && JobStatus.read(job.status()).startTime() == null) {
      patch.withObjectProperty("status").put("startTime", Timestamps.format(now));
    }
    return patch;
  }

  /** Returns the existing pods of a Job. */
  public static List<KubeObject> pods(Cluster cluster, KubeObject job) {
    return ApiCalls.await(cluster.list(Kind.POD, job.namespace())).items().stream()
        .filter(pod -> job.uid().equals(pod.controllerUid()))
        .toList();
  }

  /** Deletes a Job; a controller deletes its pods, if there is one ({@link JobPodRemoval}). */
  public static void delete(Cluster cluster, KubeObject job) {
    ApiCalls.await(cluster.delete(job.ref(), DeleteOptions.only(job.uid())));
  }

  /** Removes an object at once, whatever its finalizers. It may be gone already. */
  public static void removeNow(Cluster cluster, KubeObject object) {
    removeNow(cluster, object.ref(), object.uid(), !object.finalizers().isEmpty());
  }

  /**
   * Removes an object at once. It may be gone already.
   *
   * @param held true if it has finalizers
   */
  static void removeNow(Cluster cluster, ObjectRef ref, String uid, boolean held) {
    try {
      remove(cluster, ref, uid, held);
    } catch (ClusterException refused) {
      if (refused.reason() != Reason.NOT_FOUND) {
        throw refused;
      }
    }
  }

  private static void remove(Cluster cluster, ObjectRef ref, String uid, boolean held) {
    if (held) {
      ObjectNode patch = Json.object();
      patch.putObject("metadata").put("uid", uid).putNull("finalizers");
      ApiCalls.await(cluster.patch(ref, patch));
    }
    ApiCalls.await(cluster.delete(ref, DeleteOptions.now(uid)));
  }
}
