package dev.stint.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class FencedClusterTest {
  private final ScriptedCluster api = new ScriptedCluster();
  private boolean allowed = true;
  private final FencedCluster guarded = new FencedCluster(api.cluster, () -> allowed);

  private List<Supplier<CompletableFuture<?>>> writes() {
    KubeObject object = ScriptedCluster.object("1");
    return List.of(
        () -> guarded.create(object),
        () -> guarded.update(object),
        () -> guarded.updateStatus(object),
        () -> guarded.updateFinalize(object),
        () -> guarded.patch(ScriptedCluster.ref(), Json.object()),
        () -> guarded.patchStatus(ScriptedCluster.ref(), Json.object()),
        () -> guarded.delete(ScriptedCluster.ref(), DeleteOptions.only("u")));
  }

  @Test
  void writesAreSentDuringTheTerm() {
    assertThat(writes()).allMatch(write -> !write.get().isDone());
    assertThat(api.asked).hasSize(7);
  }

  @Test
  void noWriteIsSentAfterTheTerm() {
    allowed = false;
    for (Supplier<CompletableFuture<?>> write : writes()) {
      CompletableFuture<?> answer = write.get();
      assertThat(answer).isCompletedExceptionally();
      ClusterException refusal = (ClusterException) answer.exceptionNow();
      assertThat(refusal.reason()).isEqualTo(Reason.FORBIDDEN);
      assertThat(refusal.isTransient()).isFalse();
      assertThat(refusal.isWithheld()).isTrue();
      assertThat(refusal).hasMessage("not sent, since this process may not write it any more");
    }
    assertThat(api.asked).isEmpty();
  }

  @Test
  void readsAreAlwaysSent() {
    allowed = false;
    CompletableFuture<KubeObject> read = guarded.get(ScriptedCluster.ref());
    api.answer();
    assertThat(read).isCompleted();
    assertThat(guarded.list(Kind.JOB, null)).isNotDone();
    assertThat(guarded.list(Kind.JOB, null, CompletableFuture::completedFuture)).isNotDone();
    assertThat(api.asked).hasSize(3);
  }

  private static CompletableFuture<KubeObject> createTwo(Cluster cluster) {
    return cluster
        .create(ScriptedCluster.object(""))
        .thenCompose(_ -> cluster.create(ScriptedCluster.object("")));
  }

  @Test
  void writesThatBelongTogetherAreAllSentThoughADrainBegins() {
    CompletableFuture<KubeObject> both = guarded.together(FencedClusterTest::createTwo);
    CompletableFuture<?> end = guarded.drain();
    api.answer();
    assertThat(api.asked).hasSize(2);
    assertThat(end).isNotDone();
    api.answer();
    assertThat(both).isCompleted();
    assertThat(end).isCompleted();
  }

  @Test
  void theyEndWithTheTerm() {
    CompletableFuture<KubeObject> both = guarded.together(FencedClusterTest::createTwo);
    allowed = false;
    api.answer();
    assertThat(api.asked).hasSize(1);
    assertThat(both).isCompletedExceptionally();
    assertThat(guarded.together(FencedClusterTest::createTwo)).isCompletedExceptionally();
    assertThat(guarded.drain()).isCompleted();
  }

  @Test
  void drainingCompletesWhenAllWritesAreAnswered() {
    CompletableFuture<KubeObject> first = guarded.create(ScriptedCluster.object(""));
    CompletableFuture<KubeObject> second = guarded.create(ScriptedCluster.object(""));
    CompletableFuture<?> end = guarded.drain();
    assertThat(guarded.create(ScriptedCluster.object(""))).isCompletedExceptionally();
    api.answer();
    assertThat(end).isNotDone();
    api.refuse(new ClusterException(Reason.CONFLICT, "no"));
    assertThat(end).isCompleted();
    assertThat(first).isCompleted();
    assertThat(second).isCompletedExceptionally();
    assertThat(guarded.drain()).isCompleted();
  }
}
