package dev.stint.reconcile.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.harness.TestWorld;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeaseFeedTest {
  private static final ObjectRef LEASE = new ObjectRef(Kind.LEASE, "kube-system", "stint-shard-0");

  private final TestWorld world = new TestWorld();
  private final LeaseFeed feed =
      new LeaseFeed(new LateReads(), "kube-system", "stint-", world.eventLoop, () -> {});
  private final List<String> reported = new ArrayList<>();
  private final List<Runnable> late = new ArrayList<>();

  /** The API, whose answers to reads of one object wait. */
  private final class LateReads extends ForwardingCluster {
    LateReads() {
      super(world.api);
    }

    @Override
    protected <T extends @Nullable Object> CompletableFuture<T> send(
        ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
      CompletableFuture<T> answer = sending.get();
      if (request.verb() != ClusterRequest.Verb.GET) {
        return answer;
      }
      CompletableFuture<@Nullable Void> gate = new CompletableFuture<>();
      late.add(() -> gate.complete(null));
      return gate.thenCompose(_ -> answer);
    }
  }

  private static String holder(KubeObject lease) {
    return String.valueOf(Json.text(lease.spec(), "holderIdentity"));
  }

  @BeforeEach
  void follow() {
    world.add(LEASE, "", "'spec':{'holderIdentity':'a','leaseDurationSeconds':15}");
    feed.start();
    world.settle();
    feed.follow(LEASE, lease -> reported.add(lease == null ? "none" : holder(lease)));
    world.settle();
  }

  private void answer() {
    world.settle();
    late.forEach(Runnable::run);
    world.settle();
  }

  @Test
  void aReadComesBeforeEvents() {
    answer();
    world.api.change(LEASE, "{'spec':{'holderIdentity':'b'}}");
    world.settle();
    assertThat(reported).containsExactly("a", "b");
  }

  @Test
  void anEventBeforeTheAnswerToTheReadIsNotLost() {
    world.api.change(LEASE, "{'spec':{'holderIdentity':'b'}}");
    world.api.change(LEASE, "{'spec':{'holderIdentity':''}}");
    answer();
    assertThat(reported).containsExactly("a", "");
  }

  @Test
  void aDeletionBeforeTheAnswerToTheReadIsNotLost() {
    world.api.remove(LEASE, DeleteOptions.Propagation.BACKGROUND);
    answer();
    assertThat(reported).containsExactly("a", "none");
  }
}
