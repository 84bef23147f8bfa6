package dev.stint.engine.policy;

import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.options.JobOptions;
import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/** PolicyInputs for tests: a Job by the JSON of its spec, and the state of its pods. */
final class PolicyInputs {
  static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private PolicyInputs() {}

  /** Nothing has happened yet; the Job started just now. */
  static PolicyInput of(String spec) {
    return new PolicyInput(
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

  static PolicyInput pods(PolicyInput in, int active, int succeeded, int failed, int restarts) {
    return new PolicyInput(
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

  static PolicyInput indexes(PolicyInput in, IndexSet completed, IndexSet failed) {
    return new PolicyInput(
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

  static PolicyInput gates(PolicyInput in, FeatureGates gates) {
    return new PolicyInput(
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

  /** The same input of a Job with annotations: names and values in turn. */
  static PolicyInput annotated(String spec, String... annotations) {
    ObjectNode job = Json.object();
    job.set("spec", Json.parse(spec.replace('\'', '"')));
    ObjectNode map = job.putObject("metadata").putObject("annotations");
    for (int i = 0; i < annotations.length; i += 2) {
      map.put(annotations[i], annotations[i + 1]);
    }
    PolicyInput plain = of(spec);
    return new PolicyInput(
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

  static PolicyInput at(PolicyInput in, Instant now) {
    return new PolicyInput(
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
