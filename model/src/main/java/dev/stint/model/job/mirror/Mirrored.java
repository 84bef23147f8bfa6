package dev.stint.model.job.mirror;

import dev.stint.model.KubeObject;
import dev.stint.model.field.Formats;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The place of a Job that a mirror hands to another cluster, as the Job itself says.
 *
 * @param worker the name of the cluster; empty if it has none or is not chosen yet
 * @param problem why the Job is not mirrored now; empty if it is
 * @param since the time of the last change from mirrored to not mirrored, or back
 */
public record Mirrored(String worker, String problem, @Nullable Instant since) {
  /** Condition of a Job: True if its status is that of its copy on the worker. */
  public static final String CONDITION = "stint.dev/Mirrored";

  /** Annotation of a Job: the name of the worker that it is assigned to. */
  public static final String ASSIGNED = "stint.dev/mirror-assigned";

  /** Annotation of a Job: the uid of its copy. */
  public static final String COPY = "stint.dev/mirror-copy";

  /** Annotation of a Job: the cluster of its copy, by the uid of {@code kube-system}. */
  public static final String CLUSTER = "stint.dev/mirror-worker";

  /** Finalizer of a Job: it has, or may have, a copy. */
  public static final String FINALIZER = "stint.dev/mirror";

  /** Reads where a Job is; empty if no mirror says that it hands it on. */
  public static Optional<Mirrored> of(KubeObject job) {
    String worker = worker(job);
    return JobStatus.read(job.status())
        .condition(CONDITION)
        .map(condition -> new Mirrored(worker, problem(condition), condition.transition()));
  }

  /** True if a Job may have a copy: the finalizer precedes that. */
  public static boolean mayHaveCopy(KubeObject job) {
    return job.finalizers().contains(FINALIZER);
  }

  /** Returns the name of the worker that a Job is assigned to; empty if it has no sound one. */
  static String worker(KubeObject job) {
    String name = job.annotation(ASSIGNED);
    return name != null && Formats.isDnsLabel(name) ? name : "";
  }

  private static String problem(JobCondition condition) {
    return condition.isTrue()
        ? ""
        : condition.reason() + ": " + condition.message().replaceAll("\\s+", " ");
  }
}
