package dev.stint.reconcile.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.harness.Fault;
import dev.stint.harness.TestWorld;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Replicas that share shards on a scripted API, in simulated time. */
class ShardElectionTest {
  private static final ObjectRef LEASE = new ObjectRef(Kind.LEASE, "kube-system", "stint");

  private final TestWorld world = new TestWorld();
  private final List<Replica> replicas = new ArrayList<>();

  private final class Replica implements ShardElection.Worker {
    private final ShardElection election;
    private final Map<Integer, Term> terms = new TreeMap<>();

    /** Completed when the work of shards that are given up is over. */
    private CompletableFuture<@Nullable Void> idle = CompletableFuture.completedFuture(null);

    private boolean dead;
    private int moves;

    Replica(String name, int shards) {
      this(world.api, name, shards);
    }

    Replica(Cluster cluster, String name, int shards) {
      EventLoop loop =
          new EventLoop(
              task ->
                  world.execute(() -> {
                    if (!dead) {
                      task.run();
                    }
                  }),
              world.time,
              world.time,
              new Random(name.hashCode()));
      this.election =
          new ShardElection(
              cluster,
              LEASE,
              name,
              new Sharding(shards),
              LeaseTimes.DEFAULT,
              loop,
              world.time,
              this);
      replicas.add(this);
      election.start();
      world.settle();
    }

    @Override
    public void onTaken(int shard, Term term) {
      terms.put(shard, term);
      moves++;
    }

    @Override
    public CompletableFuture<@Nullable Void> onGivenUp(int shard) {
      moves++;
      return idle.thenRun(() -> terms.remove(shard)).thenApply(_ -> null);
    }

    @Override
    public void onLost(int shard) {
      terms.remove(shard);
      moves++;
    }

    boolean mayWrite(int shard) {
      Term term = terms.get(shard);
      return !dead && term != null && term.holds();
    }

    void stop() {
      election.stop();
      world.settle();
      replicas.remove(this);
    }
  }

  /** Lets time pass; at no moment may two write for a shard. */
  private void pass(Duration time) {
    Instant end = world.now().plus(time);
    while (world.now().isBefore(end)) {
      world.pass(Duration.ofMillis(200));
      for (int shard = 0; shard < 8; shard++) {
        int each = shard;
        assertThat(replicas.stream().filter(replica -> replica.mayWrite(each)).count())
            .isLessThanOrEqualTo(1);
      }
    }
  }

  private static List<Integer> shares(Replica... replicas) {
    return List.of(replicas).stream().map(replica -> replica.terms.size()).toList();
  }

  @Test
  void theFirstReplicaHoldsAllShardsAtOnce() {
    Replica first = new Replica("a", 4);
    assertThat(first.terms).containsOnlyKeys(0, 1, 2, 3);
    pass(Duration.ofMinutes(1));
    assertThat(first.moves).isEqualTo(4);
  }

  @Test
  void aNewReplicaGetsItsShareOnceItHasStayed() {
    Replica first = new Replica("a", 4);
    pass(Duration.ofSeconds(20));
    Replica second = new Replica("b", 4);
    pass(Duration.ofSeconds(14));
    assertThat(shares(first, second)).containsExactly(4, 0);
    pass(Duration.ofSeconds(6));
    assertThat(shares(first, second)).containsExactly(2, 2);
    Replica third = new Replica("c", 4);
    pass(Duration.ofMinutes(2));
    assertThat(shares(first, second, third)).containsExactlyInAnyOrder(1, 1, 2);
    assertThat(first.moves + second.moves + third.moves)
        .as("no more shards move than have to")
        .isEqualTo(4 + 2 * 2 + 2);
  }

  /** The membership and each shard have a Lease, and the shares are looked at again besides. */
  @Test
  void leasesWhoseNamespaceIsMissingAreAskedForAtTheRetryPeriod() {
    int[] refused = {0};
    world.api.before(request -> {
      if (request.line().startsWith("create leases")) {
        throw new ClusterException(
            ++refused[0] < 10_000 ? Reason.NOT_FOUND : Reason.UNAVAILABLE,
            "namespaces \"kube-system\" not found");
      }
    });
    Replica first = new Replica("a", 4);
    pass(Duration.ofSeconds(20));
    assertThat(refused[0] + world.api.gets).isBetween(25, 5 * 30);
    world.api.heal();
    pass(Duration.ofSeconds(20));
    assertThat(first.terms).containsOnlyKeys(0, 1, 2, 3);
  }

  @Test
  void aReplicaThatComesAndGoesMovesNothing() {
    Replica first = new Replica("a", 4);
    pass(Duration.ofSeconds(20));
    for (int i = 0; i < 4; i++) {
      Replica brief = new Replica("b" + i, 4);
      pass(Duration.ofSeconds(8));
      brief.stop();
      pass(Duration.ofSeconds(8));
    }
    assertThat(first.moves).isEqualTo(4);
  }

  @Test
  void theShardsOfAReplicaThatEndsAreTakenAtOnce() {
    Replica first = new Replica("a", 4);
    Replica second = new Replica("b", 4);
    pass(Duration.ofMinutes(1));
    assertThat(shares(first, second)).containsExactly(2, 2);
    second.stop();
    world.settle();
    assertThat(first.terms).hasSize(4);
  }

  @Test
  void theShardsOfADeadReplicaAreTakenWhenItsLeasesExpire() {
    Replica first = new Replica("a", 4);
    Replica second = new Replica("b", 4);
    pass(Duration.ofMinutes(1));
    first.dead = true;
    pass(Duration.ofSeconds(12));
    assertThat(second.terms).hasSize(2);
    pass(Duration.ofSeconds(6));
    assertThat(second.terms).hasSize(4);
    assertThat(members()).hasSize(2);
    pass(Duration.ofMinutes(4));
    assertThat(members()).as("the Lease of the dead is removed").hasSize(1);
  }

  private List<KubeObject> members() {
    return world.api.peekAll(Kind.LEASE).stream()
        .filter(lease -> lease.name().startsWith("stint-replica-"))
        .toList();
  }

  @Test
  void aShardIsHandedOverOnlyAfterItsWorkHasEnded() {
    Replica first = new Replica("a", 2);
    Replica second = new Replica("b", 2);
    first.idle = new CompletableFuture<>();
    pass(Duration.ofMinutes(1));
    assertThat(shares(first, second)).as("its work goes on").containsExactly(2, 0);
    assertThat(holder(1)).isEqualTo("a");
    first.idle.complete(null);
    pass(Duration.ofSeconds(3));
    assertThat(shares(first, second)).containsExactly(1, 1);
    assertThat(holder(1)).isEqualTo("b");
  }

  /** A claim may be under way, which wins the shard again, beside a write of the lost term. */
  @Test
  void aReplicaEndsOnlyAfterTheWorkOfAShardThatItHasLost() {
    Replica only = new Replica("a", 1);
    pass(Duration.ofSeconds(20));
    only.idle = new CompletableFuture<>();
    world.api.before(Fault.unavailable(r -> r.isWrite() && r.line().contains("leases")));
    pass(Duration.ofSeconds(12));
    assertThat(only.terms).isEmpty();
    world.api.heal();
    CompletableFuture<?> end = only.election.stop();
    world.settle();
    assertThat(end).isNotDone();
    only.idle.complete(null);
    world.settle();
    assertThat(end).isDone();
  }

  /** An API that carries out updates of a shard's Lease, and answers them late. */
  private static final class Late extends ForwardingCluster {
    private final ObjectRef lease;
    private CompletableFuture<@Nullable Void> answers = CompletableFuture.completedFuture(null);
    private boolean losesNext;

    Late(Cluster api, ObjectRef lease) {
      super(api);
      this.lease = lease;
    }

    @Override
    protected <T extends @Nullable Object> CompletableFuture<T> send(
        ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
      if (!request.isWrite() || !request.ref().equals(lease)) {
        return sending.get();
      }
      if (losesNext) {
        losesNext = false;
        return new CompletableFuture<>();
      }
      CompletableFuture<T> answer = sending.get();
      return answers.thenCompose(_ -> answer);
    }
  }

  @Test
  void aShardThatIsWonAgainDuringItsHandOverIsNotReleasedUnderTheNewTerm() {
    Late api = new Late(world.api, lease(1));
    Replica first = new Replica(api, "a", 2);
    new Replica("b", 2);
    CompletableFuture<@Nullable Void> workOfTheFormerTerm = new CompletableFuture<>();
    first.idle = workOfTheFormerTerm;
    pass(Duration.ofSeconds(20));
    api.answers = new CompletableFuture<>();
    api.losesNext = true;
    for (int i = 0; i < 100 && first.terms.containsKey(1); i++) {
      pass(Duration.ofMillis(200));
    }
    assertThat(first.terms).as("it is not renewed in time").doesNotContainKey(1);
    api.answers.complete(null);
    world.settle();
    Term again = Objects.requireNonNull(first.terms.get(1));

    first.idle = new CompletableFuture<>();
    workOfTheFormerTerm.complete(null);
    world.settle();
    assertThat(again.holds()).isTrue();
    assertThat(holder(1)).isEqualTo("a");

    first.idle.complete(null);
    pass(Duration.ofMinutes(1));
    assertThat(holder(1)).isEqualTo("b");
  }

  private static ObjectRef lease(int shard) {
    return new ObjectRef(Kind.LEASE, "kube-system", "stint-shard-" + shard);
  }

  private @Nullable String holder(int shard) {
    return Json.text(world.see(lease(shard)).spec(), "holderIdentity");
  }

  @Test
  void aReplicaThatCannotRenewLosesItsShards() {
    Replica only = new Replica("a", 3);
    pass(Duration.ofSeconds(20));
    world.api.before(Fault.unavailable(r -> r.isWrite() && r.line().contains("leases")));
    pass(Duration.ofSeconds(12));
    assertThat(only.terms).isEmpty();
    world.api.heal();
    pass(Duration.ofSeconds(20));
    assertThat(only.terms).hasSize(3);
  }

  @Test
  void moreReplicasThanShardsWait() {
    Replica first = new Replica("a", 1);
    Replica second = new Replica("b", 1);
    pass(Duration.ofMinutes(1));
    assertThat(shares(first, second)).containsExactly(1, 0);
    first.stop();
    world.settle();
    assertThat(second.terms).hasSize(1);
  }
}
