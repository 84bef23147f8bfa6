package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.KubeObject;
import dev.stint.reconcile.Controller;
import dev.stint.reconcile.RetryingCluster;
import dev.stint.reconcile.leader.Sharding;
import dev.stint.reconcile.leader.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ShardWorkerTest {
  private static final Term TERM = new Term();

  private final TestWorld world = new TestWorld();
  private final RetryingCluster limits =
      new RetryingCluster(
          world.api, RetryingCluster.Options.DEFAULT, world.time, world.time, new Random(1));
  private final List<Beside> others = new ArrayList<>();
  private final ShardWorker worker =
      new ShardWorker(
          new Unanswering(),
          limits,
          TERM,
          new JobController(
              limits, new Sharding(2), world.eventLoop, Metrics.NONE, JobControllerOptions.DEFAULT),
          this::beside,
          world.eventLoop);

  private boolean silent;
  private final List<Runnable> unanswered = new ArrayList<>();

  /** The API, whose answers to writes wait while it is silent. */
  private final class Unanswering extends ForwardingCluster {
    Unanswering() {
      super(world.api);
    }

    @Override
    protected <T extends @Nullable Object> CompletableFuture<T> send(
        ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
      CompletableFuture<T> answer = sending.get();
      if (!silent) {
        return answer;
      }
      CompletableFuture<@Nullable Void> gate = new CompletableFuture<>();
      unanswered.add(() -> gate.complete(null));
      return gate.thenCompose(_ -> answer);
    }
  }

  /** A controller beside shard 0. */
  private static final class Beside implements Controller {
    private final Cluster cluster;
    private int closed;

    Beside(Cluster cluster) {
      this.cluster = cluster;
    }

    @Override
    public void start() {}

    @Override
    public void reconsider() {}

    @Override
    public void close() {
      closed++;
    }
  }

  private List<Controller> beside(Cluster cluster) {
    Beside controller = new Beside(cluster);
    others.add(controller);
    return List.of(controller);
  }

  @Test
  void theOtherControllersRunWhereShardZeroIsHeld() {
    worker.onTaken(1, TERM);
    assertThat(others).isEmpty();
    worker.onTaken(0, TERM);
    assertThat(others).hasSize(1);
    assertThat(worker.held()).containsExactlyInAnyOrder(0, 1);
    worker.onLost(0);
    worker.onGivenUp(0);
    assertThat(others.getFirst().closed).isOne();
    assertThat(worker.held()).containsExactly(1);
  }

  /** Takes shard 0, and sends a write that is not answered. */
  private void takeAndWrite() {
    worker.onTaken(0, TERM);
    KubeObject job = world.api.add(JobBuilder.named("j"));
    silent = true;
    var _ = others.getFirst().cluster.update(job);
    world.settle();
  }

  @Test
  void aShardIsGivenUpOnceItsWritesAreAnswered() {
    takeAndWrite();
    CompletableFuture<?> first = worker.onGivenUp(0);
    CompletableFuture<?> again = worker.onGivenUp(0);
    world.settle();
    assertThat(List.of(first.isDone(), again.isDone())).containsExactly(false, false);
    assertThat(worker).hasToString("holds [], gives up [0]");
    unanswered.forEach(Runnable::run);
    world.settle();
    assertThat(List.of(first.isDone(), again.isDone())).containsExactly(true, true);
    assertThat(worker).as("keeps nothing of it").hasToString("holds [], gives up []");
  }

  /**
   * The last renewal of a Lease may be answered too late, and give it to the same process again.
   */
  @Test
  void aShardThatWasLostAndWonAgainIsGivenUpOnceTheWritesOfBothTermsAreAnswered() {
    takeAndWrite();
    silent = false;
    worker.onLost(0);
    worker.onTaken(0, TERM);
    world.settle();
    CompletableFuture<?> end = worker.onGivenUp(0);
    world.settle();
    assertThat(end).as("the first term has written").isNotDone();
    unanswered.forEach(Runnable::run);
    world.settle();
    assertThat(end).isDone();
    assertThat(others).as("the second term was given up before it began").hasSize(1);
    assertThat(worker).hasToString("holds [], gives up []");
  }

  /** A pod whose creation is under way would be created once more. */
  @Test
  void aShardThatWasLostAndWonAgainIsWorkedOnOnceTheWritesOfTheFirstTermAreAnswered() {
    takeAndWrite();
    worker.onLost(0);
    worker.onTaken(0, TERM);
    world.settle();
    assertThat(worker.held()).isEmpty();
    unanswered.forEach(Runnable::run);
    world.settle();
    assertThat(worker.held()).containsExactly(0);
    assertThat(others).extracting(each -> each.closed).containsExactly(1, 0);
  }

  @Test
  void aNewTermHasOtherWork() {
    worker.onTaken(0, TERM);
    worker.onTaken(0, TERM);
    world.settle();
    assertThat(others).extracting(each -> each.closed).containsExactly(1, 0);
    assertThat(worker.held()).containsExactly(0);
  }
}
