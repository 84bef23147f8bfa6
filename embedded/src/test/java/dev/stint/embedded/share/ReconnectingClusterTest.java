package dev.stint.embedded.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.harness.FakeCluster;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReconnectingClusterTest {
  private final FakeCluster store = new FakeCluster(Runnable::run, InstantSource.system());
  private final Dying first = new Dying(store);
  private final ReconnectingCluster cluster = new ReconnectingCluster();

  /** A connection that breaks while its requests are carried out. */
  private static final class Dying extends ForwardingCluster {
    private boolean dying;
    private boolean carriesOut;
    private final List<WatchHandler> watches = new ArrayList<>();

    private Dying(Cluster cluster) {
      super(cluster);
    }

    private static ClusterException loss() {
      return new ClusterException(Reason.UNAVAILABLE, "lost", List.of(), new ClusterClient.Loss());
    }

    @Override
    protected <T extends @Nullable Object> CompletableFuture<T> send(
        ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
      if (!dying) {
        return sending.get();
      }
      if (carriesOut) {
        sending.get().join();
      }
      return CompletableFuture.failedFuture(loss());
    }

    @Override
    public Watch watch(
        Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
      watches.add(handler);
      return super.watch(kind, namespace, afterRevision, handler);
    }

    private void dieAfter() {
      dying = true;
      carriesOut = true;
    }
  }

  @Test
  void requestsWaitForACluster() {
    CompletableFuture<?> list = cluster.list(Kind.JOB, null);
    assertThat(list).isNotDone();
    cluster.connect(store);
    assertThat(list).isCompleted();
  }

  @Test
  void aReadIsSentAgainToTheNextHolder() {
    store.add(JobBuilder.named("a"));
    cluster.connect(first);
    first.dying = true;
    CompletableFuture<KubeObject> found = cluster.get(TestWorld.job("a"));
    assertThat(found).isNotDone();
    cluster.connect(store);
    assertThat(found.join().name()).isEqualTo("a");
  }

  @Test
  void writesThatWereCarriedOutSucceedTheSecondTime() {
    cluster.connect(first);
    first.dieAfter();
    CompletableFuture<KubeObject> created = cluster.create(JobBuilder.named("a").build());
    CompletableFuture<KubeObject> patched =
        created.thenCompose(job ->
            cluster.patch(
                job.ref(),
                Json.parse(
                    "{\"metadata\":{\"resourceVersion\":\"%s\",\"labels\":{\"k\":\"v\"}}}"
                        .formatted(job.resourceVersion()))));
    cluster.connect(store);
    assertThat(created.join().name()).isEqualTo("a");
    assertThat(patched.join().label("k")).isEqualTo("v");
    Dying second = new Dying(store);
    cluster.connect(second);
    second.dieAfter();
    CompletableFuture<?> deleted =
        cluster.delete(TestWorld.job("a"), DeleteOptions.now(created.join().uid()));
    cluster.connect(store);
    assertThat(deleted).isCompleted();
  }

  @Test
  void aWriteIsLookedUpAgainIfTheHolderEndsThatWasAsked() {
    cluster.connect(first);
    first.dieAfter();
    CompletableFuture<KubeObject> created = cluster.create(JobBuilder.named("a").build());
    cluster.connect(
        new ForwardingCluster(store) {
          @Override
          public CompletableFuture<KubeObject> get(ObjectRef ref) {
            return CompletableFuture.failedFuture(Dying.loss());
          }
        });
    assertThat(created).isNotDone();
    cluster.connect(store);
    assertThat(created.join().name()).isEqualTo("a");
  }

  @Test
  void anObjectOfSomebodyElseIsStillInTheWay() {
    cluster.connect(first);
    first.dying = true;
    CompletableFuture<KubeObject> created =
        cluster.create(JobBuilder.named("a").annotation("by", "us").build());
    store.add(JobBuilder.named("a").annotation("by", "them"));
    cluster.connect(store);
    assertThat(created)
        .failsWithin(java.time.Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .satisfies(refusal ->
            assertThat(((ClusterException) refusal).reason()).isEqualTo(Reason.ALREADY_EXISTS));
  }

  @Test
  void aWatchExpiresWithItsHolder() {
    cluster.connect(first);
    List<String> heard = new ArrayList<>();
    cluster.watch(
        Kind.JOB,
        null,
        "1",
        new WatchHandler() {
          @Override
          public void onEvent(WatchEvent event) {
            heard.add(event.object().name());
          }

          @Override
          public void onClosed(@Nullable ClusterException cause) {
            heard.add(cause == null ? "ended" : cause.reason().name());
          }
        });
    store.add(JobBuilder.named("a"));
    first.watches.getFirst().onClosed(Dying.loss());
    assertThat(heard).containsExactly("a", "GONE");
    CompletableFuture<?> next = cluster.list(Kind.JOB, null);
    assertThat(next).isNotDone();
    cluster.connect(store);
    assertThat(next).isCompleted();
  }

  @Test
  void whatIsUnansweredWhenTheDirectoryIsHandedOverIsSentToTheNextHolder() {
    store.add(JobBuilder.named("a"));
    List<String> heard = new ArrayList<>();
    cluster.connect(
        new ForwardingCluster(store) {
          @Override
          protected <T extends @Nullable Object> CompletableFuture<T> send(
              ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
            return new CompletableFuture<>();
          }

          @Override
          public Watch watch(
              Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
            return () -> {};
          }
        });
    CompletableFuture<KubeObject> found = cluster.get(TestWorld.job("a"));
    cluster.watch(
        Kind.JOB,
        null,
        "1",
        new WatchHandler() {
          @Override
          public void onEvent(WatchEvent event) {}

          @Override
          public void onClosed(@Nullable ClusterException cause) {
            heard.add(cause == null ? "ended" : cause.reason().name());
          }
        });
    cluster.disconnect();
    assertThat(found).isNotDone();
    assertThat(cluster.get(TestWorld.job("a"))).isNotDone();
    cluster.connect(store);
    assertThat(found.join().name()).isEqualTo("a");
    assertThat(heard).containsExactly("GONE");
  }

  @Test
  void withoutASuccessorAllRequestsFail() {
    CompletableFuture<?> list = cluster.list(Kind.JOB, null);
    cluster.fail(new ClusterException(Reason.UNAVAILABLE, "cannot open the store"));
    assertThat(list).isCompletedExceptionally();
    assertThat(cluster.get(TestWorld.job("a"))).isCompletedExceptionally();
  }
}
