package dev.stint.controllers.mirror;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.harness.JobBuilder;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Short notations for Jobs of a manager and copies on a worker. */
final class MirrorFixtures {
  static final MirrorOwnership TIE = new MirrorOwnership("manager-1", "stint.dev/mirror");
  static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private MirrorFixtures() {}

  static KubeObject object(String json) {
    return KubeObject.of(Json.parse(json.replace('\'', '"')));
  }

  /** Returns a Job of the manager that has a copy. */
  static KubeObject job(String spec, String status) {
    return JobBuilder.named("j")
        .uid("job-1")
        .metadata("'resourceVersion':'1','generation':1")
        .finalizers("stint.dev/mirror")
        .annotation("stint.dev/mirror-copy", "copy-1")
        .annotation("stint.dev/mirror-worker", "worker-1")
        .managedBy("stint.dev/mirror")
        .parallelism(2)
        .backoffLimit(6)
        .spec(spec)
        .status(status)
        .build();
  }

  /** Returns the copy of that Job. */
  static KubeObject copy(String status) {
    return copy(TIE.origin(), "job-1", status);
  }

  static KubeObject copy(String from, String of, String status) {
    return JobBuilder.named("j")
        .uid("copy-1")
        .metadata("'resourceVersion':'1','creationTimestamp':'2026-01-01T10:00:00Z'")
        .label("stint.dev/mirror-from", from)
        .label("stint.dev/mirror-of", of)
        .annotation("stint.dev/mirror-claim", "stint.dev/mirror")
        .annotation("stint.dev/mirror-generation", "1")
        .status(status)
        .build();
  }

  static MirrorView view(@Nullable KubeObject job, @Nullable KubeObject copy) {
    return view(null, job, copy);
  }

  /** Returns the view of one of several workers. */
  static MirrorView view(
      @Nullable String assignee, @Nullable KubeObject job, @Nullable KubeObject copy) {
    return new MirrorView(
        TIE,
        FeatureGates.DEFAULT,
        NOW,
        assignee,
        "worker-1",
        Propagation.BACKGROUND,
        job,
        false,
        copy,
        null,
        null,
        null);
  }
}
