package dev.stint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.ClusterRequest.Verb;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.JobBuilder;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.RetryingCluster;
import dev.stint.reconcile.leader.LeaseTimes;
import dev.stint.store.engine.SimulatedEngine;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class RemoteControllersTest {
  private static final ObjectRef LEASE = new ObjectRef(Kind.LEASE, "kube-system", "stint");

  private static final LeaseTimes TIMES =
      new LeaseTimes(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofMillis(100));

  private final CountDownLatch claimed = new CountDownLatch(1);
  private final CountDownLatch answered = new CountDownLatch(1);

  /** An API that carries out requests at once, and answers on demand. */
  private Cluster slowToGrant(Cluster api) {
    return (Cluster)
        Proxy.newProxyInstance(
            Cluster.class.getClassLoader(),
            new Class<?>[] {Cluster.class},
            (_, method, args) -> {
              Object answer = method.invoke(api, args);
              if (method.getName().equals("create")
                  && ((KubeObject) args[0]).kind().equals(Kind.LEASE)) {
                ((CompletableFuture<?>) answer).get(60, TimeUnit.SECONDS);
                claimed.countDown();
                assertThat(answered.await(60, TimeUnit.SECONDS)).isTrue();
              }
              return answer;
            });
  }

  private static RemoteControllers.Options candidate() {
    return new RemoteControllers.Options(
        Set.of(ControllerName.JOB),
        JobControllerOptions.DEFAULT,
        new LeaderCandidate(LEASE, "me", TIMES, null),
        RetryingCluster.Options.DEFAULT,
        Metrics.NONE);
  }

  /** It is stopped between the grant of the lease and the moment at which it learns of that. */
  @Test
  void aLeaseWonWhileStoppingIsReleased() throws Exception {
    try (ControlPlane plane = new ControlPlane(new SimulatedEngine(), ControlPlaneOptions.DEFAULT);
        ThreadTimers timers = new ThreadTimers();
        RemoteControllers attached =
            new RemoteControllers(slowToGrant(plane.cluster()), timers, candidate())) {
      attached.start();
      assertThat(claimed.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(holder(plane)).isEqualTo("me");
      CompletableFuture<?> stopped = attached.stop(Duration.ofSeconds(10));
      answered.countDown();
      stopped.get(60, TimeUnit.SECONDS);
      assertThat(holder(plane)).isNullOrEmpty();
      assertThat(attached.isLeading()).isFalse();
      // Workers would otherwise outlive the term that has ended.
      assertThat(attached.isHealthy()).isTrue();
    }
  }

  /** An API at which the creation of the first pod arrives late; it tells what it sees. */
  private static final class Late extends ForwardingCluster {
    private final CountDownLatch created = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch begunAgain = new CountDownLatch(2);
    private final CountDownLatch follows = new CountDownLatch(1);
    private final CountDownLatch freed = new CountDownLatch(1);
    private final CompletableFuture<@Nullable Void> arrival = new CompletableFuture<>();
    private volatile boolean begunBefore;
    private volatile boolean heldBefore;

    Late(Cluster api) {
      super(api);
    }

    @Override
    public Watch watch(Kind kind, @Nullable String namespace, String after, WatchHandler handler) {
      if (kind.equals(Kind.LEASE)) {
        Watch followed = super.watch(kind, namespace, after, new Freed(handler));
        if (created.getCount() == 0) {
          follows.countDown();
        }
        return followed;
      }
      Watch watch = super.watch(kind, namespace, after, handler);
      if (!kind.equals(Kind.JOB)) {
        return watch;
      }
      begunBefore |= ended.getCount() == 0 && !arrival.isDone();
      begunAgain.countDown();
      return () -> {
        watch.close();
        ended.countDown();
      };
    }

    @Override
    protected <T extends @Nullable Object> CompletableFuture<T> send(
        ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
      boolean isPod = request.verb() == Verb.CREATE && request.ref().kind().equals(Kind.POD);
      if (isPod && created.getCount() > 0) {
        created.countDown();
        return arrival.thenCompose(_ -> sending.get());
      }
      boolean isClaim = request.isWrite() && request.ref().kind().equals(Kind.LEASE);
      heldBefore |= isClaim && ended.getCount() == 0 && !arrival.isDone();
      return sending.get();
    }

    /** Tells when a process has been told of a Lease that nobody holds. */
    private final class Freed implements WatchHandler {
      private final WatchHandler told;

      Freed(WatchHandler told) {
        this.told = told;
      }

      @Override
      public void onEvent(WatchEvent event) {
        told.onEvent(event);
        if (holder(event.object()).isEmpty()) {
          freed.countDown();
        }
      }

      @Override
      public void onClosed(@Nullable ClusterException cause) {
        told.onClosed(cause);
      }
    }
  }

  /** Lets a process create a pod. */
  private static void work(ControlPlane plane, Late api, RemoteControllers attached)
      throws InterruptedException {
    plane.cluster().create(JobBuilder.named("j").command("w").build()).join();
    attached.start();
    assertThat(api.created.await(60, TimeUnit.SECONDS)).isTrue();
  }

  /** Lets a process lose its Lease, and see that nobody holds it any more. */
  private static void loseAndFree(ControlPlane plane, Late api, RemoteControllers attached)
      throws InterruptedException {
    hold(plane, "other");
    assertThat(api.ended.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(api.follows.await(60, TimeUnit.SECONDS)).isTrue();
    hold(plane, "");
    assertThat(api.freed.await(60, TimeUnit.SECONDS)).isTrue();
    CompletableFuture.runAsync(() -> {}, attached.electionLoop()).join();
  }

  /** The creation of a pod may still take effect when the next leader has read all pods. */
  @Test
  void theLeaseIsLeftToExpireIfAWriteIsUnderWay() throws Exception {
    try (ControlPlane plane = new ControlPlane(new SimulatedEngine(), ControlPlaneOptions.DEFAULT);
        ThreadTimers timers = new ThreadTimers()) {
      Late api = new Late(plane.cluster());
      try (RemoteControllers attached = new RemoteControllers(api, timers, candidate())) {
        work(plane, api, attached);
        attached.stop(Duration.ofMillis(500)).get(60, TimeUnit.SECONDS);
        assertThat(holder(plane)).isEqualTo("me");
      }
    }
  }

  /** The next term would otherwise read the pods before, and create the same one once more. */
  @Test
  void aTermBeginsOnceTheWritesOfAnEarlierOneAreAnswered() throws Exception {
    try (ControlPlane plane = new ControlPlane(new SimulatedEngine(), ControlPlaneOptions.DEFAULT);
        ThreadTimers timers = new ThreadTimers()) {
      Late api = new Late(plane.cluster());
      try (RemoteControllers attached = new RemoteControllers(api, timers, candidate())) {
        work(plane, api, attached);
        loseAndFree(plane, api, attached);
        assertThat(api.heldBefore).as("another could work meanwhile").isFalse();
        assertThat(attached.isLeading()).isFalse();
        api.arrival.complete(null);
        assertThat(api.begunAgain.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(api.begunBefore).isFalse();
      }
    }
  }

  private static void hold(ControlPlane plane, String holder) {
    ObjectNode patch = Json.object();
    patch.putObject("spec").put("holderIdentity", holder);
    plane.cluster().patch(LEASE, patch).join();
  }

  private static String holder(ControlPlane plane) {
    KubeObject lease = plane.cluster().get(LEASE).join();
    return holder(lease);
  }

  private static String holder(KubeObject lease) {
    return String.valueOf(Json.text(lease.spec(), "holderIdentity")).replace("null", "");
  }
}
