package dev.stint.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.TestLoop;
import dev.stint.harness.TestTime;
import dev.stint.model.Json;
import dev.stint.runner.runtime.SimulatedRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A runner on a simulated runtime, and pods with one outcome each: one thread, no real time. */
abstract class SimulatedPods {
  final PodCluster cluster = new PodCluster();
  final TestLoop loop = new TestLoop();
  final TestTime time = loop.time;
  final Map<String, SimulatedRuntime.Outcome> outcomes = new HashMap<>();
  final List<String> played = new ArrayList<>();
  final SimulatedRuntime runtime =
      new SimulatedRuntime(
          (pod, _) -> {
            played.add(pod.name());
            return Objects.requireNonNull(outcomes.get(pod.name()));
          },
          new Random(1),
          time,
          time);

  Runner started(int maxPods) {
    Runner runner = new Runner(cluster, runtime, loop.eventLoop(), options(maxPods));
    CompletableFuture<?> ready = runner.start();
    run();
    assertThat(ready).isCompleted();
    return runner;
  }

  static RunnerOptions options(int maxPods) {
    return new RunnerOptions("here", maxPods, pod -> !pod.name().equals("filtered"));
  }

  void add(String name, int seconds, int exitCode) {
    outcomes.put(name, new SimulatedRuntime.Outcome(Duration.ofSeconds(seconds), exitCode));
    cluster.put(PodCluster.newPod(name));
  }

  void run() {
    loop.settle();
  }

  void advance(int seconds) {
    run();
    for (int i = 0; i < seconds * 20; i++) {
      time.advance(Duration.ofMillis(50));
      run();
    }
  }

  PodCluster.StatusWrite last(String name) {
    return cluster.statusWrites(name).getLast();
  }

  ObjectNode status(String name) {
    return Objects.requireNonNull(cluster.pod(name).status());
  }

  List<String> conditions(String name) {
    List<String> conditions = new ArrayList<>();
    for (JsonNode condition : status(name).path("conditions")) {
      String reason = Json.text(condition, "reason");
      conditions.add(
          Json.text(condition, "type")
              + "="
              + Json.text(condition, "status")
              + (reason == null ? "" : " " + reason));
    }
    return conditions;
  }
}
