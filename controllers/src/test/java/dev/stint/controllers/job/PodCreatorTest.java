package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.Fault;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pods whose creation has no clear answer, or is refused: none is created twice. */
class PodCreatorTest {
  private final TestWorld world = new TestWorld();

  private static TestWorld start(TestWorld world) {
    world.api.add(
        JobBuilder.named("j")
            .uid("u")
            .metadata("'generation':1")
            .parallelism(1)
            .completions(1)
            .spec("'completionMode':'NonIndexed','podReplacementPolicy':'TerminatingOrFailed'")
            .selecting("a", "b"));
    new JobController(world.api, world.eventLoop, Metrics.NONE, JobControllerOptions.DEFAULT)
        .start();
    world.pass(Duration.ofMinutes(2));
    return world;
  }

  private static List<KubeObject> pods(TestWorld world) {
    return world.api.peekAll(Kind.POD);
  }

  private List<String> creations() {
    return world.api.requests.stream().filter(each -> each.startsWith("create pods")).toList();
  }

  @Test
  void aPodWhoseAnswerWasLostIsFoundByItsName() {
    world.api.after(
        Fault.refusing("create pods", new ClusterException(Reason.TIMEOUT, "no answer")));
    start(world);
    assertThat(pods(world)).hasSize(1);
    assertThat(creations()).hasSize(1);
    assertThat(JobStatus.read(world.see(TestWorld.job("j")).status()).active()).isOne();
  }

  @Test
  void aPodThatWasNotCreatedAfterAllIsTriedAgainByItsName() {
    for (Reason reason : List.of(Reason.TIMEOUT, Reason.FORBIDDEN)) {
      world.api.before(Fault.refusing("create pods", new ClusterException(reason, "no")));
    }
    start(world);
    assertThat(pods(world)).hasSize(1);
    assertThat(creations()).hasSize(3).containsOnly(creations().getFirst());
  }

  @Test
  void aNameThatSomebodyElseHasIsLeftToThem() {
    String name = pods(start(new TestWorld())).getFirst().name();
    world.api.add(PodBuilder.named(name).running());
    start(world);
    assertThat(pods(world)).hasSize(2);
    assertThat(world.see(TestWorld.pod(name)).controllerUid()).isNull();
    assertThat(JobStatus.read(world.see(TestWorld.job("j")).status()).active()).isOne();
  }

  /** Batches had grown to four; the Job asks for one pod alone once its pods are refused. */
  @Test
  void refusedPodsAreReportedAndAskedForOneByOne() {
    start(world);
    world.api.change(
        TestWorld.job("j"),
        "{'metadata':{'generation':2},'spec':{'parallelism':4,'completions':9}}");
    world.pass(Duration.ofSeconds(5));
    assertThat(pods(world)).hasSize(4);
    world.api.before(
        Fault.refusing(
            "create pods",
            Stream.generate(() -> new ClusterException(Reason.FORBIDDEN, "not you"))
                .limit(9)
                .toArray(ClusterException[]::new)));
    int before = creations().size();
    pods(world).forEach(pod -> world.api.change(pod.ref(), "{'status':{'phase':'Succeeded'}}"));
    world.pass(Duration.ofMillis(1));
    int first = creations().size() - before;
    world.pass(Duration.ofMillis(15));
    assertThat(creations().size() - before).isEqualTo(first + 1);
    assertThat(world.api.peekAll(Kind.EVENT))
        .anyMatch(event ->
            event.tree().path("reason").asString("").equals("FailedCreate")
                && event.tree().path("type").asString("").equals("Warning")
                && event.tree().path("message").asString("").contains("not you"));
  }
}
