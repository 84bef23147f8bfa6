package dev.stint.embedded.share;

import dev.stint.model.Json;
import dev.stint.runner.device.Devices;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The limits of all pods of a data directory together, which the next holder keeps.
 *
 * @param maxPods the number of pods that run at once
 * @param milliCpu thousandths of a core that they share
 * @param memoryBytes the memory that they share
 * @param devices the devices that they share
 */
public record MachineLimits(int maxPods, long milliCpu, long memoryBytes, Devices devices) {
  ObjectNode toJson() {
    ObjectNode tree =
        Json.object()
            .put("maxPods", maxPods)
            .put("milliCpu", milliCpu)
            .put("memoryBytes", memoryBytes);
    ObjectNode lists = tree.putObject("devices");
    devices
        .ids()
        .forEach((name, ids) -> {
          ArrayNode list = lists.putArray(name);
          ids.forEach(list::add);
        });
    return tree;
  }

  /** Reads limits; null from a holder that does not tell them. */
  static @Nullable MachineLimits of(@Nullable ObjectNode tree) {
    if (tree == null) {
      return null;
    }
    TreeMap<String, List<String>> devices = new TreeMap<>();
    Wire.object(tree, "devices")
        .properties()
        .forEach(each -> {
          List<String> ids = new ArrayList<>();
          each.getValue().forEach(id -> ids.add(id.stringValue("")));
          devices.put(each.getKey(), ids);
        });
    return new MachineLimits(
        Objects.requireNonNull(Json.integer(tree, "maxPods")),
        Objects.requireNonNull(Json.longInteger(tree, "milliCpu")),
        Objects.requireNonNull(Json.longInteger(tree, "memoryBytes")),
        new Devices(devices));
  }
}
