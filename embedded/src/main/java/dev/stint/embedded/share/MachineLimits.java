package dev.stint.embedded.share;

import dev.stint.model.Json;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.device.Devices;
import dev.stint.runner.log.LogLimits;
import dev.stint.runner.spec.ResourceAmount;
import java.time.Duration;
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
 * @param inputsTimeout the time that a pod waits for inputs that do not exist
 * @param logs the limits of their logs
 */
public record MachineLimits(
    int maxPods,
    long milliCpu,
    long memoryBytes,
    Devices devices,
    Duration inputsTimeout,
    LogLimits logs) {
  /** Returns what all pods share. */
  public ResourceAmount machine() {
    return new ResourceAmount(milliCpu, memoryBytes, devices.counts());
  }

  ObjectNode toJson() {
    ObjectNode tree =
        Json.object()
            .put("maxPods", maxPods)
            .put("milliCpu", milliCpu)
            .put("memoryBytes", memoryBytes)
            .put("inputsTimeoutMillis", inputsTimeout.toMillis());
    tree.putObject("logs")
        .put("attemptBytes", logs.attemptBytes())
        .put("ageMillis", logs.age().toMillis())
        .put("bytes", logs.bytes());
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
        new Devices(devices),
        inputsTimeout(Json.longInteger(tree, "inputsTimeoutMillis")),
        logs(Json.objectAt(tree, "logs")));
  }

  private static Duration inputsTimeout(@Nullable Long millis) {
    return millis == null ? RunnerOptions.DEFAULT_INPUTS_TIMEOUT : Duration.ofMillis(millis);
  }

  private static LogLimits logs(@Nullable ObjectNode tree) {
    return tree == null
        ? LogLimits.DEFAULT
        : new LogLimits(
            Objects.requireNonNull(Json.longInteger(tree, "attemptBytes")),
            Duration.ofMillis(Objects.requireNonNull(Json.longInteger(tree, "ageMillis"))),
            Objects.requireNonNull(Json.longInteger(tree, "bytes")));
  }
}
