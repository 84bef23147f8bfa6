package dev.stint.reconcile.leader;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Candidates and leaders on a scripted API, in simulated time. */
class LeaderElectorTest {
  private static final ObjectRef LEASE = new ObjectRef(Kind.LEASE, "kube-system", "stint");

  /** So many requests at once come from a loop. */
  private static final int ENDLESS = 1000;

  private final TestWorld world = new TestWorld();
  private final List<Candidate> candidates = new ArrayList<>();
  private boolean silent;

  /** Requests get no answer once this many were sent; they take effect nevertheless. */
  private int answersLeft = Integer.MAX_VALUE;

  /** The API, which gives no answer while it is silent. */
  private final class Unanswering extends ForwardingCluster {
    Unanswering() {
      super(world.api);
    }

    @Override
    protected <T extends @Nullable Object> CompletableFuture<T> send(
        ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
      if (silent) {
        return new CompletableFuture<>();
      }
      CompletableFuture<T> answer = sending.get();
      return answersLeft-- > 0 ? answer : new CompletableFuture<>();
    }
  }

  /** A process. While it is paused, it receives nothing. */
  private final class Candidate implements LeaderCallbacks {
    private final String name;
    private final List<Runnable> held = new ArrayList<>();
    private final LeaderElector elector;
    private boolean still;
    private boolean willing = true;
    private @Nullable Term term;
    private @Nullable Term latest;
    private int terms;

    Candidate(String name) {
      this.name = name;
      this.elector =
          new LeaderElector(
              new Unanswering(),
              LeaderElectionConfig.ofLeader(LEASE, name, LeaseTimes.DEFAULT),
              new EventLoop(this::execute, world.time, world.time, new Random(name.hashCode())),
              world.time,
              this,
              () -> willing);
      candidates.add(this);
      elector.start();
      world.settle();
    }

    private void execute(Runnable task) {
      if (still) {
        held.add(task);
      } else {
        world.execute(task);
      }
    }

    void standStill() {
      still = true;
    }

    void goOn() {
      still = false;
      held.forEach(world::execute);
      held.clear();
      world.settle();
    }

    @Override
    public void onStartedLeading(Term began) {
      term = began;
      latest = began;
      terms++;
    }

    @Override
    public void onStoppedLeading(String reason) {
      assertThat(Objects.requireNonNull(latest).holds()).isFalse();
      term = null;
    }

    boolean mayWrite() {
      Term last = latest;
      return last != null && last.holds();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private String holder() {
    return Objects.requireNonNull(Json.text(world.see(LEASE).spec(), "holderIdentity"));
  }

  private int transitions() {
    return Objects.requireNonNull(Json.integer(world.see(LEASE).spec(), "leaseTransitions"));
  }

  /** Lets time pass; at no moment may two write. */
  private void pass(Duration time) {
    Instant end = world.now().plus(time);
    while (world.now().isBefore(end)) {
      world.pass(Duration.ofMillis(100));
      assertThat(candidates.stream().filter(Candidate::mayWrite).count()).isLessThanOrEqualTo(1);
    }
  }

  private void away(boolean away) {
    world.api.heal();
    if (away) {
      world.api.before(Fault.unavailable(r -> r.isWrite() && r.line().contains("leases")));
    }
  }

  /** In its first term. */
  private void assertThatItGoesOn(Candidate leader) {
    pass(Duration.ofSeconds(20));
    assertThat(leader.mayWrite()).isTrue();
    assertThat(leader.terms).isEqualTo(1);
  }

  @Test
  void theFirstCandidateLeadsAndTheOthersWait() {
    Candidate first = new Candidate("first");
    Candidate second = new Candidate("second");
    assertThat(first.term).isNotNull();
    String renewed = Json.text(world.see(LEASE).spec(), "renewTime");
    pass(Duration.ofMinutes(1));
    assertThat(first.mayWrite()).isTrue();
    assertThat(first.terms).isEqualTo(1);
    assertThat(second.term).isNull();
    assertThat(Json.text(world.see(LEASE).spec(), "renewTime")).isNotEqualTo(renewed);
    assertThat(transitions()).isZero();
  }

  @Test
  void aWaitingCandidateDoesNotPollTheLease() {
    Candidate first = new Candidate("first");
    Candidate second = new Candidate("second");
    int before = world.api.gets;
    pass(Duration.ofMinutes(1));
    assertThat(world.api.gets).isEqualTo(before);
    assertThat(List.of(first.terms, second.terms)).containsExactly(1, 0);
  }

  @Test
  void theCandidateLeadsAtOnceWhenTheLeaderStepsDown() {
    Candidate first = new Candidate("first");
    Candidate second = new Candidate("second");
    pass(Duration.ofSeconds(3));
    first.elector.release();
    world.settle();
    assertThat(first.mayWrite()).isFalse();
    assertThat(second.mayWrite()).isTrue();
    assertThat(holder()).isEqualTo("second");
    assertThat(transitions()).isEqualTo(1);
  }

  /** At any point of a renewal. */
  @Test
  void theCandidateLeadsAtOnceWhenTheLeaderStepsDownDuringARenewal() {
    for (int steps = 0; steps < 8; steps++) {
      Candidate one = new Candidate("one" + steps);
      Candidate other = new Candidate("other" + steps);
      world.time.set(world.now().plusSeconds(2));
      world.time.advance(Duration.ZERO);
      for (int i = 0; i < steps; i++) {
        world.step();
      }
      one.elector.release();
      world.settle();
      assertThat(other.mayWrite()).as("after %d steps", steps).isTrue();
      other.elector.release();
      world.settle();
    }
  }

  /** At any point of a renewal that is refused, of the read after it, and of the next renewal. */
  @Test
  void theCandidateLeadsAtOnceWhenTheLeaderStepsDownAfterAConflict() {
    for (int steps = 0; steps < 16; steps++) {
      Candidate one = new Candidate("one" + steps);
      Candidate other = new Candidate("other" + steps);
      world.api.change(LEASE, "{'metadata':{'labels':{'a':'" + steps + "'}}}");
      world.time.set(world.now().plusSeconds(2));
      world.time.advance(Duration.ZERO);
      for (int i = 0; i < steps; i++) {
        world.step();
      }
      one.elector.release();
      world.settle();
      assertThat(other.mayWrite()).as("after %d steps", steps).isTrue();
      other.elector.release();
      world.settle();
    }
  }

  /** At any point of its first claim; nobody waits for an unused lease. */
  @Test
  void aCandidateThatStopsDuringItsFirstClaimFreesTheLease() {
    for (int steps = 0; steps < 8; steps++) {
      Candidate leader = new Candidate("leader" + steps);
      Candidate ending = new Candidate("ending" + steps);
      leader.elector.release();
      for (int i = 0; i < steps; i++) {
        world.step();
      }
      ending.elector.release();
      world.settle();
      Candidate next = new Candidate("next" + steps);
      assertThat(next.mayWrite()).as("after %d steps", steps).isTrue();
      next.elector.release();
      world.settle();
    }
  }

  @Test
  void aDeadLeaderIsReplacedAfterTheLeaseDuration() {
    Candidate first = new Candidate("first");
    Candidate second = new Candidate("second");
    pass(Duration.ofSeconds(3));
    first.standStill();
    pass(Duration.ofSeconds(12));
    assertThat(second.term).isNull();
    pass(Duration.ofSeconds(3));
    assertThat(second.mayWrite()).isTrue();
  }

  @Test
  void aLeaderThatWasPausedTooLongMayNotWrite() {
    Candidate first = new Candidate("first");
    Candidate second = new Candidate("second");
    first.standStill();
    pass(Duration.ofSeconds(30));
    assertThat(second.mayWrite()).isTrue();
    assertThat(first.mayWrite()).isFalse();
    first.goOn();
    assertThat(first.mayWrite()).isFalse();
    pass(Duration.ofSeconds(30));
    assertThat(first.term).isNull();
    assertThat(second.terms).isEqualTo(1);
    second.elector.release();
    world.settle();
    assertThat(first.terms).isEqualTo(2);
    assertThat(first.mayWrite()).isTrue();
  }

  @Test
  void aLeaderThatCannotRenewEndsItsTermBeforeAnotherMayBegin() {
    Candidate first = new Candidate("first");
    away(true);
    pass(Duration.ofSeconds(9));
    assertThat(first.mayWrite()).isTrue();
    pass(Duration.ofSeconds(1));
    assertThat(first.mayWrite()).isFalse();
    pass(Duration.ofMinutes(1));
    assertThat(first.term).isNull();
    away(false);
    pass(Duration.ofSeconds(5));
    assertThat(first.mayWrite()).isTrue();
    assertThat(first.terms).isEqualTo(2);
  }

  /** Its connection ends at a server that has vanished; the next one does not. */
  @Test
  void aRenewalThatIsNeverAnsweredDoesNotEndATerm() {
    Candidate first = new Candidate("first");
    silent = true;
    pass(Duration.ofSeconds(3));
    silent = false;
    assertThatItGoesOn(first);
  }

  /** So the next renewal is outdated, and the Lease is read; that has no answer either. */
  @Test
  void aReadThatIsNeverAnsweredDoesNotEndATerm() {
    Candidate first = new Candidate("first");
    world.api.change(LEASE, "{'metadata':{'labels':{'a':'b'}}}");
    answersLeft = 1;
    pass(Duration.ofSeconds(3));
    answersLeft = Integer.MAX_VALUE;
    assertThatItGoesOn(first);
  }

  @Test
  void aRenewalWhoseAnswerIsLostDoesNotEndATerm() {
    Candidate first = new Candidate("first");
    answersLeft = 0;
    pass(Duration.ofSeconds(3));
    answersLeft = Integer.MAX_VALUE;
    assertThatItGoesOn(first);
  }

  @Test
  void renewalsThatAreNeverAnsweredDoNotKeepTheLeaderFromTheNext() {
    Candidate first = new Candidate("first");
    silent = true;
    pass(Duration.ofMillis(9500));
    silent = false;
    pass(Duration.ofSeconds(1));
    assertThat(first.term).isNull();
    pass(Duration.ofSeconds(7));
    assertThat(first.mayWrite()).isTrue();
    assertThat(first.terms).isEqualTo(2);
  }

  /** The work of its former term has not ended. */
  @Test
  void whoDoesNotWantToLeadYetLeavesTheLeaseToOthers() {
    Candidate first = new Candidate("first");
    Candidate second = new Candidate("second");
    first.willing = false;
    away(true);
    pass(Duration.ofSeconds(11));
    assertThat(first.term).isNull();
    away(false);
    pass(Duration.ofSeconds(8));
    assertThat(second.mayWrite()).isTrue();
    assertThat(first.terms).isEqualTo(1);
  }

  @Test
  void whoWantsToLeadAgainTakesItsLeaseAtOnce() {
    Candidate first = new Candidate("first");
    first.willing = false;
    away(true);
    pass(Duration.ofSeconds(11));
    away(false);
    pass(Duration.ofSeconds(30));
    assertThat(first.terms).isEqualTo(1);
    first.willing = true;
    world.execute(first.elector::reconsider);
    world.settle();
    assertThat(first.mayWrite()).isTrue();
    assertThat(first.terms).isEqualTo(2);
  }

  @Test
  void aShortOutageDoesNotEndATerm() {
    Candidate first = new Candidate("first");
    away(true);
    pass(Duration.ofSeconds(7));
    away(false);
    assertThatItGoesOn(first);
  }

  @Test
  void aLeaderKeepsALeaseThatSomebodyLabels() {
    Candidate first = new Candidate("first");
    world.api.change(LEASE, "{'metadata':{'labels':{'a':'b'}}}");
    assertThatItGoesOn(first);
    assertThat(world.see(LEASE).labels()).containsEntry("a", "b");
  }

  @Test
  void aLeaderStopsWhenSomebodyTakesTheLease() {
    Candidate first = new Candidate("first");
    world.api.change(LEASE, "{'spec':{'holderIdentity':'somebody'}}");
    pass(Duration.ofSeconds(3));
    assertThat(first.mayWrite()).isFalse();
    assertThat(first.term).isNull();
  }

  @Test
  void aDeletedLeaseIsCreatedAgain() {
    Candidate first = new Candidate("first");
    Candidate second = new Candidate("second");
    world.api.remove(LEASE, dev.stint.cluster.DeleteOptions.Propagation.BACKGROUND);
    world.settle();
    pass(Duration.ofSeconds(20));
    assertThat(candidates.stream().filter(Candidate::mayWrite)).hasSize(1);
    assertThat(List.of(first, second)).anyMatch(c -> c.name.equals(holder()));
  }

  /** Its creation is refused with the reason that a missing Lease has, too. */
  @Test
  void aLeaseWhoseNamespaceIsMissingIsAskedForAtTheRetryPeriod() {
    int[] refused = {0};
    world.api.before(request -> {
      if (request.line().startsWith("create leases")) {
        throw new ClusterException(
            ++refused[0] < ENDLESS ? Reason.NOT_FOUND : Reason.UNAVAILABLE,
            "namespaces \"kube-system\" not found");
      }
    });
    Candidate first = new Candidate("first");
    pass(Duration.ofSeconds(20));
    assertThat(refused[0] + world.api.gets).isBetween(10, 30);
    world.api.heal();
    pass(Duration.ofSeconds(5));
    assertThat(first.mayWrite()).isTrue();
  }

  @Test
  void closingWithoutSteppingDownLetsTheLeaseExpire() {
    Candidate first = new Candidate("first");
    Candidate second = new Candidate("second");
    first.elector.close();
    world.settle();
    assertThat(first.mayWrite()).isFalse();
    assertThat(holder()).isEqualTo("first");
    pass(Duration.ofSeconds(16));
    assertThat(second.mayWrite()).isTrue();
  }

  @Test
  void aClosedCandidateThatResignsStaysClosed() {
    Candidate first = new Candidate("first");
    first.elector.close();
    world.execute(() -> first.elector.resign());
    pass(Duration.ofMinutes(1));
    assertThat(holder()).isEmpty();
    assertThat(first.terms).isEqualTo(1);
  }

  @Test
  void neverMayTwoOfManyPausingCandidatesWrite() {
    Random random = new Random(7);
    for (int i = 0; i < 4; i++) {
      new Candidate("c" + i);
    }
    int led = 0;
    for (int step = 0; step < 300; step++) {
      Candidate one = candidates.get(random.nextInt(candidates.size()));
      if (one.still) {
        one.goOn();
      } else if (random.nextInt(3) == 0) {
        one.standStill();
      }
      away(random.nextInt(5) == 0);
      pass(Duration.ofMillis(random.nextInt(8000)));
      led += candidates.stream().anyMatch(Candidate::mayWrite) ? 1 : 0;
    }
    assertThat(led).isGreaterThan(100);
    KubeObject lease = world.see(LEASE);
    assertThat(transitions()).as(lease.toString()).isGreaterThan(5);
  }
}
