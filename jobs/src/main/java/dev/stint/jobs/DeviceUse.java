package dev.stint.jobs;

import dev.stint.cluster.Cluster;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.runner.device.PodDevices;
import dev.stint.runner.spec.PodSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/**
 * The devices of the nodes, and the pods that have them.
 *
 * @param all the number of devices by resource
 * @param holders the devices of unfinished pods
 */
public record DeviceUse(SortedMap<String, Long> all, List<Holder> holders) {
  /**
   * A pod that has a device.
   *
   * @param resource such as {@code nvidia.com/gpu}
   * @param id the device's ID
   * @param job the name of its Job; empty if it has none
   */
  public record Holder(String resource, String id, String namespace, String pod, String job) {}

  /** Reads the nodes, and the pods if a node has devices. */
  public static DeviceUse of(Cluster cluster) {
    SortedMap<String, Long> all = ofNodes(cluster);
    List<Holder> holders = new ArrayList<>();
    if (!all.isEmpty()) {
      ApiCalls.await(cluster.list(Kind.POD, null))
          .items()
          .forEach(pod -> holders.addAll(holders(pod)));
    }
    return new DeviceUse(all, holders);
  }

  /** Returns the number of devices of all nodes, by resource. */
  public static SortedMap<String, Long> ofNodes(Cluster cluster) {
    SortedMap<String, Long> all = new TreeMap<>();
    ApiCalls.await(cluster.list(Kind.NODE, null)).items().forEach(node -> addDevices(node, all));
    return all;
  }

  /** Returns the devices that a pod has; none if it has ended. */
  public static List<Holder> holders(KubeObject pod) {
    if (pod.annotation(PodDevices.ANNOTATION) == null || PodSpec.isFinished(pod)) {
      return List.of();
    }
    String job = Objects.requireNonNullElse(pod.label(Names.JOB_NAME), "");
    List<Holder> holders = new ArrayList<>();
    PodDevices.of(pod)
        .ids()
        .forEach((resource, ids) ->
            ids.forEach(
                id -> holders.add(new Holder(resource, id, pod.namespace(), pod.name(), job))));
    return holders;
  }

  private static void addDevices(KubeObject node, SortedMap<String, Long> all) {
    ObjectNode amounts = Json.objectAt(node.status(), "allocatable");
    if (amounts != null) {
      amounts
          .properties()
          .forEach(amount -> {
            if (amount.getKey().contains("/")) {
              all.merge(amount.getKey(), amount.getValue().asLong(0), Long::sum);
            }
          });
    }
  }

  /** Returns a line for each resource. */
  public List<String> lines() {
    return all.entrySet().stream()
        .map(entry ->
            "%s: %d of %d in use"
                .formatted(
                    entry.getKey(),
                    holders.stream().filter(each -> each.resource().equals(entry.getKey())).count(),
                    entry.getValue()))
        .toList();
  }
}
