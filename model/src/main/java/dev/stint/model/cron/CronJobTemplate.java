package dev.stint.model.cron;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The template that a CronJob makes its Jobs from. */
public final class CronJobTemplate {
  private CronJobTemplate() {}

  /**
   * Returns a new Job of a CronJob, with one owner reference and one annotation more than its
   * template has.
   *
   * @param annotation the name of the annotation that says why the Job exists
   */
  public static ObjectNode job(KubeObject cronJob, String name, String annotation, String value) {
    ObjectNode template = Json.objectAt(cronJob.spec(), "jobTemplate");
    ObjectNode given = Json.objectAt(template, "metadata");
    ObjectNode job = Json.object();
    job.put("apiVersion", Kind.JOB.apiVersion()).put("kind", Kind.JOB.kind());
    ObjectNode metadata = job.putObject("metadata");
    metadata.put("name", name).put("namespace", cronJob.namespace());
    copy(given, "labels", metadata);
    copy(given, "annotations", metadata);
    metadata.withObjectProperty("annotations").put(annotation, value);
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", Kind.CRON_JOB.apiVersion())
        .put("kind", Kind.CRON_JOB.kind())
        .put("name", cronJob.name())
        .put("uid", cronJob.uid())
        .put("controller", true);
    copy(template, "spec", job);
    return job;
  }

  private static void copy(@Nullable ObjectNode from, String member, ObjectNode to) {
    ObjectNode found = Json.objectAt(from, member);
    if (found != null) {
      to.set(member, found.deepCopy());
    }
  }
}
