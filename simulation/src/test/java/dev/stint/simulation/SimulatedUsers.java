package dev.stint.simulation;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.DeleteOptions;
import dev.stint.engine.pod.PodView;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** People and programs that use the API at the same time, driven by the seed. */
final class SimulatedUsers {
  private final RandomGenerator random;
  private final History history;
  private final InstantSource clock;
  private int touches;

  SimulatedUsers(RandomGenerator random, History history, InstantSource clock) {
    this.random = random;
    this.history = history;
    this.clock = clock;
  }

  /** Performs one action of one of them. */
  void act(Cluster cluster) {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> touch(cluster, anyJob());
      case 3, 4 -> touch(cluster, anyPod());
      case 5, 6 -> delete(cluster, anyPod());
      case 7 -> evict(cluster, anyPod());
      case 8 -> suspend(cluster, anyJob());
      case 9, 10 -> scale(cluster, anyJob());
      default -> {
        if (random.nextInt(5) == 0) {
          delete(cluster, anyJob());
        }
      }
    }
  }

  /** Removes what still holds up Jobs; false if there was nothing. */
  boolean letGo(Cluster cluster) {
    boolean any = false;
    for (History.Job job : history.jobs.values()) {
      boolean idle =
          job.spec.parallelism() == 0 && !Integer.valueOf(0).equals(job.spec.completions());
      if (job.unfinished() && !history.foreign(job) && (job.spec.suspend() || idle)) {
        any = true;
        ObjectNode patch = Json.object();
        ObjectNode spec = patch.putObject("spec").put("suspend", false);
        if (idle) {
          spec.put("parallelism", 1);
        }
        cluster.patch(job.object.ref(), patch);
      }
    }
    return any;
  }

  private @Nullable KubeObject anyJob() {
    return any(
        history.jobs.values().stream().filter(job -> !job.gone).map(job -> job.object).toList());
  }

  private @Nullable KubeObject anyPod() {
    return any(List.copyOf(history.pods.values()));
  }

  private @Nullable KubeObject any(List<KubeObject> objects) {
    return objects.isEmpty() ? null : objects.get(random.nextInt(objects.size()));
  }

  private void touch(Cluster cluster, @Nullable KubeObject object) {
    if (object != null) {
      ObjectNode patch = Json.object();
      String where = random.nextBoolean() ? "labels" : "annotations";
      patch.putObject("metadata").putObject(where).put("touched", "t" + touches++);
      cluster.patch(object.ref(), patch);
    }
  }

  private void delete(Cluster cluster, @Nullable KubeObject object) {
    if (object != null) {
      history.deletedByOthers.add(object.uid());
      Long grace = random.nextInt(3) == 0 ? Long.valueOf(random.nextInt(3)) : null;
      cluster.delete(
          object.ref(),
          new DeleteOptions(object.uid(), grace, DeleteOptions.Propagation.BACKGROUND));
    }
  }

  private void evict(Cluster cluster, @Nullable KubeObject pod) {
    if (pod != null) {
      history.deletedByOthers.add(pod.uid());
      ObjectNode patch = Json.object();
      patch
          .putObject("status")
          .putArray("conditions")
          .addObject()
          .put("type", "DisruptionTarget")
          .put("status", "True")
          .put("lastTransitionTime", Timestamps.format(clock.instant()));
      cluster
          .patchStatus(pod.ref(), patch)
          .thenCompose(done -> cluster.delete(pod.ref(), DeleteOptions.only(pod.uid())));
    }
  }

  /** Handles a pod on a lost node: marks it as failed, and deletes it at once. */
  void giveUp(Cluster cluster) {
    KubeObject pod = anyPod();
    if (pod != null) {
      history.deletedByOthers.add(pod.uid());
      ObjectNode patch = Json.object();
      ObjectNode status = patch.putObject("status").put("phase", "Failed");
      status
          .putArray("conditions")
          .addObject()
          .put("type", "DisruptionTarget")
          .put("status", "True");
      CompletableFuture<?> told =
          PodView.of(pod).hasStopped()
              ? CompletableFuture.completedFuture(null)
              : cluster.patchStatus(pod.ref(), patch);
      DeleteOptions now = new DeleteOptions(pod.uid(), 0L, DeleteOptions.Propagation.BACKGROUND);
      told.thenCompose(_ -> cluster.delete(pod.ref(), now));
    }
  }

  private void suspend(Cluster cluster, @Nullable KubeObject job) {
    if (job != null) {
      boolean suspended = Boolean.TRUE.equals(Json.bool(job.spec(), "suspend"));
      ObjectNode patch = Json.object();
      patch.putObject("spec").put("suspend", !suspended);
      cluster.patch(job.ref(), patch);
    }
  }

  private void scale(Cluster cluster, @Nullable KubeObject job) {
    if (job != null) {
      int size = random.nextInt(7);
      ObjectNode patch = Json.object();
      ObjectNode spec = patch.putObject("spec").put("parallelism", size);
      if (elastic(job.tree().path("spec"))) {
        spec.put("completions", size);
      }
      cluster.patch(job.ref(), patch);
    }
  }

  /** True if the completions of the Job may change together with its parallelism. */
  private static boolean elastic(JsonNode spec) {
    return spec.path("completionMode").asString("").equals("Indexed")
        && spec.path("completions").equals(spec.path("parallelism"))
        && !spec.has("successPolicy")
        && !spec.has("maxFailedIndexes");
  }
}
