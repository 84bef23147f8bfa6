package dev.stint.reconcile.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.ClusterRequests;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Replicas that hold one Lease together, and others that want it. */
class SharedLeaseTest {
  private static final ObjectRef LEASE = new ObjectRef(Kind.LEASE, "kube-system", "stint");

  /** So many writes at once come from a loop. */
  private static final int ENDLESS = 1000;

  private final TestWorld world = new TestWorld();
  private final List<Replica> replicas = new ArrayList<>();
  private Duration way = Duration.ZERO;
  private int writes;
  private int conflicts;

  private final class Replica implements LeaderCallbacks {
    private final String holder;
    private boolean away;
    private @Nullable Term latest;
    private int terms;

    Replica(String holder) {
      this.holder = holder;
      replicas.add(this);
      new LeaderElector(
              new Line(this),
              new LeaderElectionConfig(LEASE, holder, LeaseTimes.DEFAULT, LeaseRole.CONFIGURATION),
              new EventLoop(world, world.time, world.time, new Random(replicas.size())),
              world.time,
              this,
              () -> true)
          .start();
      world.settle();
    }

    @Override
    public void onStartedLeading(Term term) {
      latest = term;
      terms++;
    }

    @Override
    public void onStoppedLeading(String reason) {}

    boolean mayWrite() {
      return latest != null && latest.holds();
    }
  }

  /** A replica's way to the API. */
  private final class Line extends ForwardingCluster {
    private final Replica replica;

    Line(Replica replica) {
      super(world.api);
      this.replica = replica;
    }

    @Override
    protected <T extends @Nullable Object> CompletableFuture<T> send(
        ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
      if (replica.away) {
        return CompletableFuture.failedFuture(
            new ClusterException(Reason.UNAVAILABLE, "the API is away"));
      }
      CompletableFuture<T> answer =
          travel()
              .thenCompose(_ -> sending.get())
              .whenComplete((_, failure) -> count(request, failure));
      return answer.handle((_, _) -> travel()).thenCompose(way -> way).thenCompose(_ -> answer);
    }

    private void count(ClusterRequest request, @Nullable Throwable failure) {
      writes += request.isWrite() ? 1 : 0;
      conflicts += failure != null && ClusterRequests.hasReason(failure, Reason.CONFLICT) ? 1 : 0;
    }
  }

  private CompletableFuture<@Nullable Void> travel() {
    CompletableFuture<@Nullable Void> arrival = new CompletableFuture<>();
    if (way.isZero()) {
      arrival.complete(null);
    } else {
      world.time.after(way, () -> arrival.complete(null));
    }
    return arrival;
  }

  private void pass(Duration time) {
    Instant end = world.now().plus(time);
    while (world.now().isBefore(end)) {
      world.pass(Duration.ofMillis(200));
      assertThat(replicas.stream().filter(Replica::mayWrite).map(each -> each.holder).distinct())
          .hasSizeLessThan(2);
    }
  }

  @Test
  void oneRenewsItForAll() {
    for (int i = 0; i < 3; i++) {
      new Replica("two");
      pass(Duration.ofMillis(600));
    }
    writes = 0;
    pass(Duration.ofMinutes(1));
    assertThat(replicas).allMatch(Replica::mayWrite).allMatch(each -> each.terms == 1);
    assertThat(conflicts).isZero();
    assertThat(writes).isBetween(20, 31);
  }

  @Test
  void manyReplicasFarFromTheApiKeepIt() {
    way = Duration.ofMillis(500);
    for (int i = 0; i < 10; i++) {
      new Replica("two");
      pass(Duration.ofMillis(200));
    }
    pass(Duration.ofSeconds(20));
    replicas.forEach(each -> each.terms = 0);
    pass(Duration.ofMinutes(2));
    assertThat(replicas).allMatch(Replica::mayWrite).allMatch(each -> each.terms == 0);
  }

  @Test
  void anotherRenewsItWhenTheFirstIsGone() {
    Replica first = new Replica("two");
    pass(Duration.ofMillis(600));
    Replica second = new Replica("two");
    pass(Duration.ofSeconds(10));
    first.away = true;
    pass(Duration.ofMinutes(1));
    assertThat(first.mayWrite()).isFalse();
    assertThat(second.mayWrite()).isTrue();
    assertThat(second.terms).isOne();
  }

  @Test
  void aSharedLeaseWhoseNamespaceIsGoneIsAskedForAtTheRetryPeriod() {
    Replica first = new Replica("two");
    world.api.before(request -> {
      if (request.line().startsWith("create leases")) {
        throw new ClusterException(
            writes < ENDLESS ? Reason.NOT_FOUND : Reason.UNAVAILABLE,
            "namespaces \"kube-system\" not found");
      }
    });
    world.api.remove(LEASE, Propagation.BACKGROUND);
    writes = 0;
    pass(Duration.ofSeconds(20));
    assertThat(writes).isBetween(5, 20);
    assertThat(first.mayWrite()).isFalse();
    world.api.heal();
    pass(Duration.ofSeconds(20));
    assertThat(first.mayWrite()).isTrue();
  }

  @Test
  void neverMayThoseOfAnotherConfigurationWriteToo() {
    Random random = new Random(11);
    for (int i = 0; i < 6; i++) {
      new Replica(i % 2 == 0 ? "two" : "three");
    }
    int led = 0;
    for (int step = 0; step < 300; step++) {
      way = Duration.ofMillis(random.nextInt(800));
      Replica one = replicas.get(random.nextInt(replicas.size()));
      one.away = !one.away;
      pass(Duration.ofMillis(random.nextInt(12_000)));
      led += replicas.stream().anyMatch(Replica::mayWrite) ? 1 : 0;
    }
    assertThat(led).isGreaterThan(100);
    assertThat(replicas).filteredOn(each -> each.terms > 0).hasSizeGreaterThan(3);
  }
}
