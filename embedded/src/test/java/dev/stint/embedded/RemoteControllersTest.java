package dev.stint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Cluster;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.controllers.metrics.Metrics;
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
import org.junit.jupiter.api.Test;

class RemoteControllersTest {
  private static final ObjectRef LEASE = new ObjectRef(Kind.LEASE, "kube-system", "stint");

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
        new LeaderCandidate(LEASE, "me", LeaseTimes.DEFAULT, null),
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

  private static String holder(ControlPlane plane) {
    KubeObject lease = plane.cluster().get(LEASE).join();
    return String.valueOf(Json.text(lease.spec(), "holderIdentity")).replace("null", "");
  }
}
