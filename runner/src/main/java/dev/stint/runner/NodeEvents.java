package dev.stint.runner;

import dev.stint.cluster.Cluster;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.reconcile.EventRecorder;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.spec.PodSpec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Records events about the node's pods in a kubelet's words. Success has no event (decision 15),
 * except for pulls of images. On the loop only.
 */
final class NodeEvents {
  private static final int MOST_AT_ONCE = 100;
  private static final Duration ONE_MORE = Duration.ofSeconds(1);
  private static final int MOST_BOUND_AT_ONCE = 200;
  private static final Duration ONE_MORE_BOUND = Duration.ofMillis(200);

  /** The number of Jobs that are remembered as notified; repeating an event does no harm. */
  private static final int MOST_JOBS = 10_000;

  private final EventRecorder recorder;

  /** Stands in for a scheduler, since there is none. */
  private final EventRecorder scheduler;

  private final Set<String> jobs = new HashSet<>();

  NodeEvents(Cluster cluster, InstantSource clock, String node) {
    this.recorder = new EventRecorder(cluster, clock, "kubelet", node, MOST_AT_ONCE, ONE_MORE);
    this.scheduler =
        new EventRecorder(
            cluster, clock, "default-scheduler", "", MOST_BOUND_AT_ONCE, ONE_MORE_BOUND);
  }

  /** Records a failed probe. */
  void unhealthy(KubeObject pod, String probe, String why) {
    warn(pod, "Unhealthy", capitalized(probe) + " probe failed: " + why);
  }

  /** Records that a probe could not be carried out. */
  void probeErred(KubeObject pod, String probe, String why) {
    warn(
        pod,
        "Unhealthy",
        capitalized(probe) + " probe errored and resulted in unknown state: " + why);
  }

  /** Records that a container ends since a probe failed too often. */
  void killing(KubeObject pod, String container, String probe, boolean restarts) {
    String then = restarts ? ", will be restarted" : "";
    normal(pod, "Killing", "Container " + container + " failed " + probe + " probe" + then);
  }

  /** Records that a container ends with its pod. */
  void stopping(KubeObject pod, String container) {
    normal(pod, "Killing", "Stopping container " + container);
  }

  void backOff(KubeObject pod, String container) {
    warn(
        pod,
        "BackOff",
        "Back-off restarting failed container %s in pod %s_%s(%s)"
            .formatted(container, pod.name(), pod.namespace(), pod.uid()));
  }

  void hookFailed(KubeObject pod, String reason, String why) {
    warn(pod, reason, why);
  }

  /** Records that a container cannot be started (yet). */
  void failed(KubeObject pod, String why) {
    warn(pod, "Failed", "Error: " + why);
  }

  /** Records that the node refuses the pod. */
  void refused(KubeObject pod, String reason, String why) {
    warn(pod, reason, why);
  }

  /**
   * Records that a container waits for something that the runtime cannot get, such as its image.
   */
  void heldUp(KubeObject pod, String reason, String why) {
    switch (reason) {
      case AttemptListener.IMAGE_PULL_BACK_OFF -> warn(pod, "BackOff", why);
      case AttemptListener.CONTAINER_CREATING -> warn(pod, "FailedMount", why);
      case AttemptListener.CONFIG_ERROR -> failed(pod, why);
      default -> warn(pod, "Failed", why);
    }
  }

  /** Records a slow step, such as the pull of an image. */
  void progress(KubeObject pod, String reason, String what) {
    normal(pod, reason, what);
  }

  /** Records that a volume cannot be made yet. */
  void failedMount(KubeObject pod, String volume, String why) {
    warn(pod, "FailedMount", "MountVolume.SetUp failed for volume \"" + volume + "\" : " + why);
  }

  /** Records, at most once, that the pod came to the node. */
  void scheduled(KubeObject pod, String node) {
    scheduler.event(pod, false, "Scheduled", "Successfully assigned " + name(pod) + " to " + node);
    scheduler.forget(pod.uid());
  }

  /** Records that there is no room for the pod, or that the node does not take it. */
  void failedScheduling(KubeObject pod, String why) {
    warn(pod, "FailedScheduling", why);
  }

  /** Records that the pod no longer tolerates a taint of the node. */
  void evictedForTaint(KubeObject pod) {
    normal(pod, "TaintManagerEviction", "Marking for deletion Pod " + name(pod));
  }

  /** Records that the taint is gone, or that the pod tolerates it now. */
  void evictionCancelled(KubeObject pod) {
    normal(pod, "TaintManagerEviction", "Cancelling deletion of Pod " + name(pod));
  }

  void evicted(KubeObject pod, String why) {
    warn(pod, "Evicted", why);
  }

  /** Tells the pod's owner, once, that images are not used here. */
  void imageNotUsed(KubeObject pod) {
    JsonNode owner = owner(pod);
    String image = image(pod);
    if (owner == null || image.isEmpty() || !jobs.add(owner.path("uid").asString(""))) {
      return;
    }
    if (jobs.size() > MOST_JOBS) {
      jobs.clear();
    }
    ObjectNode tree = Json.object();
    tree.put("apiVersion", Json.text(owner, "apiVersion")).put("kind", Json.text(owner, "kind"));
    tree.putObject("metadata")
        .put("name", Json.text(owner, "name"))
        .put("namespace", pod.namespace())
        .put("uid", Json.text(owner, "uid"));
    normal(
        KubeObject.of(tree),
        "ImageNotUsed",
        "image \"" + image + "\" is not used: containers are processes of this machine");
    recorder.forget(owner.path("uid").asString(""));
  }

  /** Forgets a pod that is gone. */
  void forget(String uid) {
    recorder.forget(uid);
  }

  private static String name(KubeObject pod) {
    return pod.namespace() + "/" + pod.name();
  }

  private static @Nullable JsonNode owner(KubeObject pod) {
    ArrayNode owners = Json.arrayAt(pod.metadata(), "ownerReferences");
    return owners == null
        ? null
        : owners
            .valueStream()
            .filter(each -> Boolean.TRUE.equals(Json.bool(each, "controller")))
            .findFirst()
            .orElse(null);
  }

  private static String image(KubeObject pod) {
    return PodSpec.containers(pod).stream()
        .map(each -> Json.text(each, "image"))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse("");
  }

  private void warn(KubeObject pod, String reason, String message) {
    recorder.event(pod, true, reason, message);
  }

  private void normal(KubeObject object, String reason, String message) {
    recorder.event(object, false, reason, message);
  }

  private static String capitalized(String word) {
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }
}
