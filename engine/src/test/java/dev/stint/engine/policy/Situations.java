package dev.stint.engine.policy;

import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.options.JobOptions;
import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/** Situations for tests: a Job by the JSON of its spec, and the state of its pods. */
final class Situations {
  static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private Situations() {}

  /** Nothing has happened yet; the Job started just now. */
  static JobSituation of(String spec) {
    return new JobSituation(
        JobSpec.read(Json.parse(spec.replace('\'', '"'))),
        JobOptions.NONE,
        FeatureGates.DEFAULT,
        0,
        0,
        0,
        0,
        IndexSet.EMPTY,
        IndexSet.EMPTY,
        null,
        NOW,
        NOW);
  }

  static JobSituation pods(JobSituation in, int active, int succeeded, int failed, int restarts) {
    return new JobSituation(
        in.spec(),
        in.options(),
        in.gates(),
        active,
        succeeded,
        failed,
        restarts,
        in.completedIndexes(),
        in.failedIndexes(),
        in.failJobMatch(),
        in.startTime(),
        in.now());
  }

  static JobSituation indexes(JobSituation in, IndexSet completed, IndexSet failed) {
    return new JobSituation(
        in.spec(),
        in.options(),
        in.gates(),
        in.active(),
        completed.size(),
        in.failed(),
        in.restarts(),
        completed,
        failed,
        in.failJobMatch(),
        in.startTime(),
        in.now());
  }

  static JobSituation gates(JobSituation in, FeatureGates gates) {
    return new JobSituation(
        in.spec(),
        in.options(),
        gates,
        in.active(),
        in.succeeded(),
        in.failed(),
        in.restarts(),
        in.completedIndexes(),
        in.failedIndexes(),
        in.failJobMatch(),
        in.startTime(),
        in.now());
  }

  /** The same situation of a Job with annotations: names and values in turn. */
  static JobSituation annotated(String spec, String... annotations) {
    ObjectNode job = Json.object();
    job.set("spec", Json.parse(spec.replace('\'', '"')));
    ObjectNode map = job.putObject("metadata").putObject("annotations");
    for (int i = 0; i < annotations.length; i += 2) {
      map.put(annotations[i], annotations[i + 1]);
    }
    JobSituation plain = of(spec);
    return new JobSituation(
        plain.spec(),
        JobOptions.of(KubeObject.of(job)),
        plain.gates(),
        plain.active(),
        plain.succeeded(),
        plain.failed(),
        plain.restarts(),
        plain.completedIndexes(),
        plain.failedIndexes(),
        plain.failJobMatch(),
        plain.startTime(),
        plain.now());
  }

  static JobSituation at(JobSituation in, Instant now) {
    return new JobSituation(
        in.spec(),
        in.options(),
        in.gates(),
        in.active(),
        in.succeeded(),
        in.failed(),
        in.restarts(),
        in.completedIndexes(),
        in.failedIndexes(),
        in.failJobMatch(),
        in.startTime(),
        now);
  }
}
