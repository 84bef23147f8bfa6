package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import dev.stint.model.job.options.JobOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods get more memory than those before them that ran out of it. */
class RaisedMemoryTest {
  private static final String TEMPLATE =
      "{'spec':{'restartPolicy':'Never','initContainers':[{'name':'first','image':'i'}],"
          + "'containers':[{'name':'main','image':'i','resources':{'requests':{'memory':'40M',"
          + "'cpu':'1'},'limits':{'memory':'64Mi'}}},{'name':'other','image':'i'}]}}";

  private final TestWorld world = new TestWorld();

  @BeforeEach
  void start() {
    new JobController(world.api, world.eventLoop, Metrics.NONE, JobControllerOptions.DEFAULT)
        .start();
    world.api.add(
        JobBuilder.indexed("j")
            .metadata("'generation':1")
            .completions(1)
            .spec("'backoffLimitPerIndex':5,'template':" + TEMPLATE)
            .selecting("a", "b")
            .annotation(JobOptions.MEMORY_ON_OOM, "x2, max 200Mi"));
    world.settle();
  }

  private List<KubeObject> active() {
    return world.api.peekAll(Kind.POD).stream()
        .filter(pod -> !"Failed".equals(pod.statusText("phase")))
        .toList();
  }

  private KubeObject pod() {
    return active().getFirst();
  }

  private void fail(String reason) {
    world.api.change(
        pod().ref(),
        "{'status':{'phase':'Failed','containerStatuses':[{'name':'main','state':{'terminated':"
            + "{'exitCode':137,'reason':'"
            + reason
            + "','finishedAt':'"
            + Timestamps.format(world.now())
            + "'}}}]}}");
    world.pass(Duration.ofMinutes(15));
  }

  private String memory(String kind) {
    String path = "/spec/containers/0/resources/" + kind + "/memory";
    return pod().tree().at(path).asString("");
  }

  @Test
  void requestsAndLimitsGrowFromAttemptToAttempt() {
    fail("OOMKilled");
    assertThat(memory("requests")).isEqualTo("77Mi");
    assertThat(memory("limits")).isEqualTo("128Mi");
    assertThat(pod().annotation("stint.dev/raised-memory")).isEqualTo("main=128Mi");
    fail("Error");
    assertThat(memory("limits")).isEqualTo("128Mi");
    fail("OOMKilled");
    assertThat(memory("requests")).isEqualTo("154Mi");
    assertThat(memory("limits")).isEqualTo("200Mi");
    assertThat(pod().tree().at("/spec/containers/0/resources/requests/cpu").asString(""))
        .isEqualTo("1");
    assertThat(pod().tree().at("/spec/containers").size()).isEqualTo(2);
  }

  @Test
  void aPodThatFailsOtherwiseIsReplacedAsItWas() {
    fail("Error");
    assertThat(memory("limits")).isEqualTo("64Mi");
    assertThat(pod().annotation("stint.dev/raised-memory")).isNull();
  }

  @Test
  void anEventTellsOfIt() {
    fail("OOMKilled");
    assertThat(world.api.peekAll(Kind.EVENT))
        .filteredOn(event -> "MemoryRaised".equals(Json.text(event.tree(), "reason")))
        .extracting(event -> Json.text(event.tree(), "message"))
        .containsExactly(
            "More memory than that of a pod that ran out of it, for pod: "
                + pod().name()
                + " (main=128Mi)");
  }
}
