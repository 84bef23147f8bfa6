package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import dev.stint.reconcile.FencedCluster;
import dev.stint.reconcile.leader.Sharding;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A Job controller that is given shards and loses them. */
class ShardedJobsTest {
  private static final Sharding TWO = new Sharding(2);

  private final TestWorld world = new TestWorld();
  private final JobController controller =
      new JobController(
          world.api, TWO, world.eventLoop, Metrics.NONE, JobControllerOptions.DEFAULT);

  /** Adds a Job that belongs to a shard, with two pods. */
  private KubeObject add(String name, int shard) {
    int salt = 0;
    while (TWO.shardOf(name + salt) != shard) {
      salt++;
    }
    return world.addRunning(
        JobBuilder.indexed(name).uid(name + salt).completions(2).parallelism(2), 2);
  }

  private int active(String job) {
    return JobStatus.read(world.see(TestWorld.job(job)).status()).active();
  }

  private void settle() {
    world.pass(Duration.ofSeconds(3));
  }

  @Test
  void onlyJobsOfHeldShardsAreDecided() {
    add("a", 0);
    add("b", 1);
    settle();
    assertThat(active("a")).isZero();
    controller.takeShard(0, world.api);
    settle();
    assertThat(active("a")).isEqualTo(2);
    assertThat(active("b")).isZero();
    controller.takeShard(1, world.api);
    settle();
    assertThat(active("b")).isEqualTo(2);
    assertThat(world.api.peekAll(Kind.POD)).as("none is created again").hasSize(4);
  }

  @Test
  void aDroppedShardIsLeftAloneUntilItIsTakenAgain() {
    add("a", 0);
    controller.takeShard(0, world.api);
    settle();
    controller.dropShard(0);
    settle();
    world.api.change(TestWorld.job("a"), "{'spec':{'suspend':true}}");
    settle();
    assertThat(active("a")).isEqualTo(2);
    controller.takeShard(0, world.api);
    settle();
    assertThat(active("a")).isZero();
  }

  /** The second term's fence is open, but what was decided before belongs to the first. */
  @Test
  void writesEndWithTheTermInWhichTheyWereDecided() {
    KubeObject job = add("a", 0);
    FencedCluster first = new FencedCluster(world.api, () -> true);
    controller.takeShard(0, first);
    settle();
    first.drain();
    controller.dropShard(0);
    controller.takeShard(0, world.api);
    settle();
    assertThat(active("a")).isEqualTo(2);
    world.api.change(job.ref(), "{'metadata':{'generation':7},'spec':{'suspend':true}}");
    settle();
    assertThat(active("a")).isZero();
  }

  @Test
  void orphansBelongToTheShardOfTheirJob() {
    KubeObject gone = add("gone", 1);
    world.api.remove(gone.ref(), dev.stint.cluster.DeleteOptions.now(gone.uid()));
    controller.takeShard(0, world.api);
    settle();
    assertThat(world.see(TestWorld.pod("gone-0")).finalizers()).isNotEmpty();
    controller.takeShard(1, world.api);
    settle();
    assertThat(world.see(TestWorld.pod("gone-0")).finalizers()).isEmpty();
  }
}
