package dev.stint.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Random pods on a runner that is killed again and again: the invariants that always hold. */
class RandomPodsTest {
  private static final int STEPS = 1200;

  static IntStream seeds() {
    return IntStream.range(0, 150);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyPodEndsOnceAndInOrder(int seed) {
    Random random = new Random(seed);
    SimulatedNode node = new SimulatedNode();
    List<String> init = new ArrayList<>();
    List<String> main = new ArrayList<>();
    String spec = pod(random, node, init, main);
    Runner runner = node.live();
    node.add("a", spec);
    boolean deleted = false;
    for (int step = 0; step < STEPS; step++) {
      node.pass(Duration.ofMillis(500));
      int dice = random.nextInt(200);
      if (dice == 0) {
        runner.close();
        node.run();
        runner = node.live();
      } else if (dice == 1 && random.nextBoolean() && node.cluster.find("a") != null) {
        node.cluster.requestDeletion("a", random.nextInt(1, 20));
        deleted = true;
      } else if (dice == 2 && random.nextInt(4) == 0) {
        runner.interrupt();
        node.pass(Duration.ofSeconds(40));
        runner.close();
        node.run();
        runner = node.live();
      }
    }
    List<PodCluster.StatusWrite> writes = node.cluster.statusWrites("a");
    String what = "seed " + seed + ": " + spec + " " + node.played + " " + writes;
    assertThat(writes.stream().filter(write -> last(write.phase())).count()).as(what).isEqualTo(1);
    assertThat(last(writes.getLast().phase())).as(what).isTrue();
    assertThat(node.runtime.leftovers().join()).as(what).isEmpty();
    assertThat(node.cluster.find("a") == null).as(what).isEqualTo(deleted);
    allEnded(node.played, writes.getLast().status(), what);
    inOrder(node, init, main, writes.getLast().status(), what);
  }

  private static void allEnded(List<String> played, JsonNode status, String what) {
    for (String list : List.of("initContainerStatuses", "containerStatuses")) {
      for (JsonNode each : status.path(list)) {
        if (played.contains(each.path("name").asString(""))) {
          assertThat(each.at("/state/terminated").isObject()).as(each + " in " + what).isTrue();
        }
      }
    }
  }

  private static void inOrder(
      SimulatedNode node, List<String> init, List<String> main, JsonNode status, String what) {
    int firstMain =
        main.stream().mapToInt(node.played::indexOf).filter(at -> at >= 0).min().orElse(-1);
    if (firstMain < 0) {
      return;
    }
    assertThat(node.played.subList(0, firstMain)).as(what).containsAll(init);
    String lastOfMain = "";
    for (JsonNode each : status.path("containerStatuses")) {
      String finished = each.at("/state/terminated/finishedAt").asString("");
      lastOfMain = finished.compareTo(lastOfMain) > 0 ? finished : lastOfMain;
    }
    for (JsonNode each : status.path("initContainerStatuses")) {
      JsonNode ended = each.at("/state/terminated");
      if (each.path("name").asString("").startsWith("init")) {
        assertThat(ended.path("exitCode").asInt(-1)).as(what).isZero();
      } else if (ended.path("exitCode").asInt(-1) == 143) {
        assertThat(Json.text(ended, "finishedAt")).as(what).isGreaterThanOrEqualTo(lastOfMain);
      }
    }
  }

  private static String pod(
      Random random, SimulatedNode node, List<String> init, List<String> main) {
    List<String> before = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      boolean sidecar = random.nextBoolean();
      String name = (sidecar ? "side" : "init") + i;
      init.add(name);
      node.tell(name, sidecar ? sidecar(random) : runs(random));
      before.add("{'name': '" + name + "'" + (sidecar ? ", 'restartPolicy': 'Always'" : "") + "}");
    }
    List<String> work = new ArrayList<>();
    for (int i = random.nextInt(1, 3); i > 0; i--) {
      main.add("main" + i);
      node.tell("main" + i, runs(random));
      work.add("{'name': 'main" + i + "'}");
    }
    return "{'restartPolicy': '%s', 'terminationGracePeriodSeconds': %d, 'initContainers': %s, 'containers': %s}"
        .formatted(
            random.nextBoolean() ? "Never" : "OnFailure", random.nextInt(1, 30), before, work);
  }

  /** Some failing runs, and then a successful one. */
  private static Outcome[] runs(Random random) {
    List<Outcome> runs = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      runs.add(outcome(random, random.nextInt(20), 1));
    }
    runs.add(outcome(random, random.nextInt(60), 0));
    return runs.toArray(Outcome[]::new);
  }

  private static Outcome[] sidecar(Random random) {
    return new Outcome[] {
      outcome(random, random.nextInt(5, 30), random.nextInt(2)), outcome(random, 100_000, 0)
    };
  }

  private static Outcome outcome(Random random, int seconds, int code) {
    Duration stopping = Duration.ofSeconds(random.nextInt(6) == 0 ? 1000 : random.nextInt(5));
    return new Outcome(Duration.ofSeconds(seconds), code, stopping);
  }

  private static boolean last(String phase) {
    return phase.equals("Succeeded") || phase.equals("Failed");
  }
}
