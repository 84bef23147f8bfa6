package dev.stint.engine;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.options.JobOptions;
import java.util.Objects;

/**
 * The engine's projection of a Job, without its pods and its status.
 *
 * @param deleting whether the Job is being deleted
 */
public record JobView(
    String uid, String namespace, String name, boolean deleting, JobSpec spec, JobOptions options) {
  /** Projects a Job that has its defaults and is valid. */
  public static JobView of(KubeObject job) {
    return new JobView(
        job.uid(),
        job.namespace(),
        job.name(),
        job.deletionTimestamp() != null,
        JobSpec.read(Objects.requireNonNullElseGet(job.spec(), Json::object)),
        JobOptions.of(job));
  }

  /** Returns the same Job, being deleted. */
  public JobView asDeleting() {
    return new JobView(uid, namespace, name, true, spec, options);
  }
}
