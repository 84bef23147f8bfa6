package dev.stint.engine;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.options.JobOptions;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/** Jobs for tests, by the JSON that a user would write. */
final class TestJobs {
  private TestJobs() {}

  /** A Job with this spec, as JSON with single quotes. */
  static JobView job(String spec) {
    return job(spec, tree -> {});
  }

  static JobView job(String spec, Consumer<ObjectNode> edit) {
    ObjectNode tree = Json.parse(spec.replace('\'', '"'));
    edit.accept(tree);
    return new JobView("job-uid", "default", "j", false, JobSpec.read(tree), JobOptions.NONE);
  }

  /** The same Job with an annotation. */
  static JobView annotated(JobView job, String name, String value) {
    ObjectNode tree = Json.object();
    tree.putObject("metadata").putObject("annotations").put(name, value);
    JobOptions options = JobOptions.of(KubeObject.of(tree));
    return new JobView(job.uid(), job.namespace(), job.name(), job.deleting(), job.spec(), options);
  }

  static JobView deleting(JobView job) {
    return job.asDeleting();
  }
}
