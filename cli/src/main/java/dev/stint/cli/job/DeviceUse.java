package dev.stint.cli.job;

import dev.stint.cluster.Cluster;
import dev.stint.jobs.ApiCalls;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.runner.device.PodDevices;
import dev.stint.runner.spec.PodSpec;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/**
 * The devices of this machine, and how many of them pods have.
 *
 * @param all the number of devices by resource
 * @param used the number of devices of unfinished pods by resource
 */
record DeviceUse(SortedMap<String, Long> all, SortedMap<String, Long> used) {
  /** Reads the nodes, and the pods if a node has devices. */
  static DeviceUse of(Cluster cluster) {
    SortedMap<String, Long> all = new TreeMap<>();
    SortedMap<String, Long> used = new TreeMap<>();
    ApiCalls.await(cluster.list(Kind.NODE, null)).items().forEach(node -> addDevices(node, all));
    if (!all.isEmpty()) {
      ApiCalls.await(cluster.list(Kind.POD, null)).items().stream()
          .filter(pod -> !PodSpec.isFinished(pod))
          .forEach(pod ->
              PodDevices.of(pod).counts().forEach((name, own) -> used.merge(name, own, Long::sum)));
    }
    return new DeviceUse(all, used);
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
  List<String> lines() {
    return all.entrySet().stream()
        .map(entry ->
            "%s: %d of %d in use"
                .formatted(entry.getKey(), used.getOrDefault(entry.getKey(), 0L), entry.getValue()))
        .toList();
  }
}
