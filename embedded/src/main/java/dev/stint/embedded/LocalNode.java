package dev.stint.embedded;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.Timestamps;
import dev.stint.runner.spec.ResourceAmount;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Registers this machine as the one node that pods run on. */
final class LocalNode {
  private final Cluster cluster;
  private final InstantSource clock;
  private final String name;
  private final int maxPods;
  private final ResourceAmount shared;
  private final @Nullable String taint;

  /** The time since which the node is ready. */
  private final String since;

  /**
   * @param maxPods the number of pods that may run at once
   * @param shared the resources that they share
   * @param taint the key of a taint that keeps pods away that do not tolerate it; null for none
   */
  LocalNode(
      Cluster cluster,
      InstantSource clock,
      String name,
      int maxPods,
      ResourceAmount shared,
      @Nullable String taint) {
    this.cluster = cluster;
    this.clock = clock;
    this.name = name;
    this.maxPods = maxPods;
    this.shared = shared;
    this.taint = taint;
    this.since = Timestamps.format(clock.instant());
  }

  /** Registers the node as ready; completes when that is done. */
  CompletableFuture<KubeObject> register() {
    ObjectNode wanted = document();
    ObjectNode status = status();
    return cluster
        .create(KubeObject.of(wanted))
        .exceptionallyCompose(failure ->
            ClusterException.causeOf(failure) instanceof ClusterException known
                    && known.reason() == Reason.ALREADY_EXISTS
                ? cluster.get(ref())
                : CompletableFuture.failedFuture(failure))
        .thenCompose(node -> {
          dropOthers(status, node);
          ObjectNode patch = Json.object();
          patch.set("status", status);
          return cluster.patchStatus(ref(), patch);
        });
  }

  /** A patch keeps what it does not name: devices that this machine had before are named null. */
  private static void dropOthers(ObjectNode status, KubeObject stored) {
    for (String amounts : List.of("capacity", "allocatable")) {
      ObjectNode before = Json.objectAt(stored.status(), amounts);
      if (before != null) {
        ObjectNode now = status.withObjectProperty(amounts);
        before.propertyNames().stream().filter(name -> !now.has(name)).forEach(now::putNull);
      }
    }
  }

  /** Says once more that the node is ready. */
  CompletableFuture<KubeObject> renew() {
    ObjectNode patch = Json.object();
    addReady(patch.putObject("status"));
    return cluster.patchStatus(ref(), patch);
  }

  private ObjectRef ref() {
    return new ObjectRef(Kind.NODE, "", name);
  }

  private ObjectNode document() {
    ObjectNode node = Json.object();
    node.put("apiVersion", "v1").put("kind", "Node");
    node.putObject("metadata")
        .put("name", name)
        .putObject("labels")
        .put("kubernetes.io/hostname", name)
        .put("kubernetes.io/os", "linux")
        .put("kubernetes.io/arch", architecture());
    if (taint != null) {
      ObjectNode only = node.putObject("spec").putArray("taints").addObject();
      only.put("key", taint).put("effect", "NoSchedule");
    }
    return node;
  }

  private ObjectNode status() {
    ObjectNode status = Json.object();
    amounts(
        status.putObject("capacity"), ResourceAmount.ofThisMachine().withDevices(shared.devices()));
    amounts(status.putObject("allocatable"), shared);
    ArrayNode addresses = status.putArray("addresses");
    addresses.addObject().put("type", "InternalIP").put("address", "127.0.0.1");
    addresses.addObject().put("type", "Hostname").put("address", name);
    addReady(status);
    status
        .putObject("nodeInfo")
        .put("architecture", architecture())
        .put("bootID", "")
        .put("containerRuntimeVersion", "stint://0.1.0")
        .put("kernelVersion", System.getProperty("os.version"))
        .put("kubeProxyVersion", "")
        .put("kubeletVersion", "v1.36.0+stint")
        .put("machineID", "")
        .put("operatingSystem", System.getProperty("os.name").toLowerCase(Locale.ROOT))
        .put("osImage", System.getProperty("os.name"))
        .put("systemUUID", "");
    status.putObject("daemonEndpoints").putObject("kubeletEndpoint").put("Port", 0);
    return status;
  }

  private void addReady(ObjectNode status) {
    status
        .putArray("conditions")
        .addObject()
        .put("type", "Ready")
        .put("status", "True")
        .put("reason", "RunnerReady")
        .put("message", "pods of this node are run by this process")
        .put("lastHeartbeatTime", Timestamps.format(clock.instant()))
        .put("lastTransitionTime", since);
  }

  private void amounts(ObjectNode amounts, ResourceAmount resources) {
    long milliCpu = resources.milliCpu();
    amounts.put("cpu", milliCpu % 1000 == 0 ? Long.toString(milliCpu / 1000) : milliCpu + "m");
    amounts.put("memory", resources.memoryBytes() / 1024 + "Ki");
    amounts.put("pods", Integer.toString(maxPods));
    new TreeMap<>(resources.devices())
        .forEach((name, count) -> amounts.put(name, Long.toString(count)));
  }

  /** Returns this machine's processor architecture by Kubernetes' name. */
  private static String architecture() {
    return switch (System.getProperty("os.arch")) {
      case "x86_64", "amd64" -> "amd64";
      case "aarch64" -> "arm64";
      case String other -> other;
    };
  }
}
