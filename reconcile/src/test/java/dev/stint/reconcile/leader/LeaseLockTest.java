package dev.stint.reconcile.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.harness.TestWorld;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LeaseLockTest {
  private static final ObjectRef LEASE = new ObjectRef(Kind.LEASE, "kube-system", "stint");
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final TestWorld world = new TestWorld();
  private final LeaseLock lock = new LeaseLock(world.api, LEASE, world.eventLoop, TIMEOUT);

  private LeaseRecord record(String holder) {
    Instant now = world.now();
    return new LeaseRecord(holder, Duration.ofSeconds(15), now, now, 0);
  }

  private ObservedLease seen() {
    return ObservedLease.of(world.see(LEASE), world.now());
  }

  private KubeObject claim(@Nullable ObservedLease seen, String holder) {
    CompletableFuture<KubeObject> answer = lock.claim(seen, record(holder));
    world.settle();
    return answer.join();
  }

  private String holder() {
    return String.valueOf(Json.text(world.see(LEASE).spec(), "holderIdentity"));
  }

  @Test
  void aLeaseThatWasNeverSeenOrWasDeletedIsCreated() {
    claim(null, "a");
    assertThat(holder()).isEqualTo("a");
    ObservedLease deleted = ObservedLease.next(seen(), null, world.now());
    world.api.remove(LEASE, Propagation.BACKGROUND);
    claim(deleted, "b");
    assertThat(holder()).isEqualTo("b");
  }

  @Test
  void aClaimOfAChangedLeaseIsOutdated() {
    claim(null, "a");
    ObservedLease before = seen();
    world.api.change(LEASE, "{'metadata':{'labels':{'a':'b'}}}");
    CompletableFuture<KubeObject> late = lock.claim(before, record("b"));
    CompletableFuture<KubeObject> created = lock.claim(null, record("b"));
    world.settle();
    assertThat(LeaseLock.isOutdated(before, late.exceptionNow())).isTrue();
    assertThat(LeaseLock.isOutdated(null, created.exceptionNow())).isTrue();
    assertThat(holder()).isEqualTo("a");
  }

  @Test
  void onlyALeaseThatExistedCanBeMissed() {
    ClusterException missing = new ClusterException(Reason.NOT_FOUND, "not found");
    claim(null, "a");
    ObservedLease before = seen();
    assertThat(LeaseLock.isOutdated(before, missing)).isTrue();
    assertThat(LeaseLock.isOutdated(ObservedLease.next(before, null, world.now()), missing))
        .isFalse();
    assertThat(LeaseLock.isOutdated(null, missing)).isFalse();
  }

  @Test
  void aRequestWithoutAnAnswerFailsAfterTheTimeout() {
    LeaseLock silent = new LeaseLock(new Silent(), LEASE, world.eventLoop, TIMEOUT);
    CompletableFuture<?> answer = silent.claim(null, record("a"));
    world.pass(Duration.ofSeconds(9));
    assertThat(answer).isNotDone();
    world.pass(Duration.ofSeconds(1));
    assertThat(answer.exceptionNow()).hasMessage("no answer within 10 s");
    assertThat(LeaseLock.isOutdated(null, answer.exceptionNow())).isFalse();
  }

  /** An API that never answers. */
  private final class Silent extends ForwardingCluster {
    Silent() {
      super(world.api);
    }

    @Override
    protected <T extends @Nullable Object> CompletableFuture<T> send(
        ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
      return new CompletableFuture<>();
    }
  }
}
