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

  /** The same Job with annotations: names and values in turn. */
  static JobView annotated(JobView job, String... annotations) {
    return new JobView(
        job.uid(), job.namespace(), job.name(), job.deleting(), job.spec(), options(annotations));
  }

  /** A Job with this spec and annotations that depend on it: names and values in turn. */
  static JobView asking(String spec, String... annotations) {
    ObjectNode tree = annotations(annotations);
    tree.set("spec", Json.parse(spec.replace('\'', '"')));
    JobView plain = job(spec);
    return new JobView(
        plain.uid(),
        plain.namespace(),
        plain.name(),
        false,
        plain.spec(),
        JobOptions.of(KubeObject.of(tree)));
  }

  /** The options of a Job with annotations: names and values in turn. */
  static JobOptions options(String... annotations) {
    return JobOptions.of(KubeObject.of(annotations(annotations)));
  }

  private static ObjectNode annotations(String... annotations) {
    ObjectNode tree = Json.object();
    ObjectNode map = tree.putObject("metadata").putObject("annotations");
    for (int i = 0; i < annotations.length; i += 2) {
      map.put(annotations[i], annotations[i + 1]);
    }
    return tree;
  }

  static JobView deleting(JobView job) {
    return job.asDeleting();
  }
}
