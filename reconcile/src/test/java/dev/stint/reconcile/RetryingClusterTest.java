package dev.stint.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RetryingClusterTest {
  private final ScriptedCluster api = new ScriptedCluster();

  private Cluster patient(double perSecond, int burst, int mostAtOnce) {
    return new RetryingCluster(
        api.cluster,
        new RetryingCluster.Options(
            perSecond,
            burst,
            mostAtOnce,
            3,
            new ExponentialBackoff(Duration.ofMillis(100), Duration.ofSeconds(5))),
        api.time,
        api.time,
        new Random(1));
  }

  private Cluster patient() {
    return patient(0, 1, 100);
  }

  private static ClusterException answer(Reason reason) {
    return new ClusterException(reason, "no");
  }

  @ParameterizedTest
  @EnumSource(
      value = Reason.class,
      names = {"TOO_MANY_REQUESTS", "INTERNAL", "UNAVAILABLE", "TIMEOUT"})
  void whatFailsForAPassingReasonIsAskedAgain(Reason reason) {
    CompletableFuture<KubeObject> read = patient().get(ScriptedCluster.ref());
    api.refuse(answer(reason));
    assertThat(api.asked).hasSize(1);
    api.pass(Duration.ofMillis(100));
    assertThat(api.asked).hasSize(2);
    api.answer();
    assertThat(read).isCompleted();
  }

  @Test
  void afterTheLastTryTheCallerGetsTheFailure() {
    CompletableFuture<KubeObject> read = patient().get(ScriptedCluster.ref());
    for (int i = 0; i < 3; i++) {
      api.refuse(answer(Reason.UNAVAILABLE));
      api.pass(Duration.ofSeconds(1));
    }
    assertThat(read).isCompletedExceptionally();
    assertThat(api.asked).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource(
      value = Reason.class,
      names = {"TOO_MANY_REQUESTS", "INTERNAL", "UNAVAILABLE", "TIMEOUT"},
      mode = EnumSource.Mode.EXCLUDE)
  void whatWouldFailAgainIsAskedOnce(Reason reason) {
    CompletableFuture<KubeObject> read = patient().get(ScriptedCluster.ref());
    api.refuse(answer(reason));
    assertThat(read).isCompletedExceptionally();
  }

  @Test
  void theDelayThatTheApiAsksForIsKept() {
    CompletableFuture<KubeObject> read = patient().get(ScriptedCluster.ref());
    api.refuse(answer(Reason.TOO_MANY_REQUESTS).withRetryAfter(Duration.ofSeconds(3)));
    api.pass(Duration.ofSeconds(3));
    assertThat(api.asked).hasSize(1);
    api.pass(Duration.ofMillis(100));
    api.answer();
    assertThat(read).isCompleted();
  }

  @Test
  void anExcessiveRetryAfterIsCapped() {
    CompletableFuture<KubeObject> read = patient().get(ScriptedCluster.ref());
    api.refuse(answer(Reason.TOO_MANY_REQUESTS).withRetryAfter(Duration.ofHours(3)));
    api.pass(Duration.ofSeconds(6));
    assertThat(api.asked).hasSize(2);
    assertThat(read).isNotDone();
  }

  @Test
  void delaysGrowAndDiffer() {
    List<Long> delays = new ArrayList<>();
    Cluster patient = patient();
    for (int i = 0; i < 20; i++) {
      CompletableFuture<KubeObject> read = patient.get(ScriptedCluster.ref());
      api.refuse(answer(Reason.UNAVAILABLE));
      long waited = 0;
      for (int before = api.asked.size(); api.asked.size() == before; waited++) {
        api.pass(Duration.ofMillis(1));
      }
      delays.add(waited);
      api.answer();
      assertThat(read).isCompleted();
    }
    assertThat(delays).allMatch(delay -> delay >= 50 && delay <= 100);
    assertThat(delays.stream().distinct().count()).isGreaterThan(5);
  }

  @Test
  void onlyRepeatableWritesAreRetried() {
    Cluster patient = patient();
    var precise = Json.parse("{\"metadata\":{\"resourceVersion\":\"7\"}}");
    assertRepeated(() -> patient.create(ScriptedCluster.object("")), true);
    assertRepeated(() -> patient.update(ScriptedCluster.object("7")), true);
    assertRepeated(() -> patient.updateStatus(ScriptedCluster.object("7")), true);
    assertRepeated(() -> patient.patch(ScriptedCluster.ref(), precise), true);
    assertRepeated(() -> patient.delete(ScriptedCluster.ref(), DeleteOptions.only("u")), true);
    assertRepeated(() -> patient.update(ScriptedCluster.object("")), false);
    assertRepeated(() -> patient.patch(ScriptedCluster.ref(), Json.object()), false);
    assertRepeated(
        () ->
            patient.delete(
                ScriptedCluster.ref(),
                new DeleteOptions(null, null, DeleteOptions.Propagation.BACKGROUND)),
        false);
  }

  private void assertRepeated(
      java.util.function.Supplier<CompletableFuture<?>> request, boolean repeated) {
    api.asked.clear();
    CompletableFuture<?> answer = request.get();
    api.refuse(answer(Reason.UNAVAILABLE));
    api.pass(Duration.ofMillis(100));
    assertThat(api.asked).hasSize(repeated ? 2 : 1);
    if (repeated) {
      api.answer();
    }
    assertThat(answer).isDone();
  }

  @Test
  void refusalsForTooManyRequestsAreAlwaysRetried() {
    CompletableFuture<KubeObject> write = patient().update(ScriptedCluster.object(""));
    api.refuse(answer(Reason.TOO_MANY_REQUESTS));
    api.pass(Duration.ofMillis(100));
    api.answer();
    assertThat(write).isCompleted();
  }

  @Test
  void aBurstGoesAtOnceAndTheRestAtTheRate() {
    Cluster patient = patient(10, 5, 100);
    List<CompletableFuture<KubeObject>> reads = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      reads.add(patient.get(ScriptedCluster.ref()));
    }
    assertThat(api.asked).hasSize(5);
    api.pass(Duration.ofSeconds(1));
    assertThat(api.asked).hasSize(15);
    api.pass(Duration.ofSeconds(1));
    assertThat(api.asked).hasSize(20);
    while (api.underWay() > 0) {
      api.answer();
    }
    assertThat(reads).allMatch(CompletableFuture::isDone);
    api.pass(Duration.ofMinutes(1));
    reads.add(patient.get(ScriptedCluster.ref()));
    assertThat(api.asked).hasSize(21);
  }

  @Test
  void theNumberOfRequestsInFlightIsLimited() {
    Cluster patient = patient(0, 1, 2);
    List<CompletableFuture<KubeObject>> reads = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      reads.add(patient.get(ScriptedCluster.ref()));
    }
    assertThat(api.underWay()).isEqualTo(2);
    api.answer();
    assertThat(api.asked).hasSize(3);
    api.refuse(answer(Reason.NOT_FOUND));
    assertThat(api.asked).hasSize(4);
    assertThat(reads.get(1)).isCompletedExceptionally();
  }

  /** Events wait for all others, and creations for statuses. */
  @Test
  void requestsThatWaitAreSentByTheirPrecedence() {
    Cluster patient = patient(0, 1, 1);
    List<CompletableFuture<?>> requests = new ArrayList<>();
    requests.add(patient.get(ScriptedCluster.ref()));
    requests.add(patient.patch(new ObjectRef(Kind.EVENT, "n", "e"), Json.object()));
    requests.add(patient.create(ScriptedCluster.object("")));
    requests.add(patient.updateStatus(ScriptedCluster.object("7")));
    requests.forEach(_ -> api.answer());
    assertThat(api.asked).containsExactly("get", "updateStatus", "create", "patch");
  }

  @Test
  void aRequestThatWaitsForItsRetryHoldsNoSlot() {
    Cluster patient = patient(0, 1, 1);
    CompletableFuture<KubeObject> first = patient.get(ScriptedCluster.ref());
    CompletableFuture<KubeObject> second = patient.get(ScriptedCluster.ref());
    api.refuse(answer(Reason.UNAVAILABLE));
    api.answer();
    assertThat(second).isCompleted();
    api.pass(Duration.ofMillis(100));
    api.answer();
    assertThat(first).isCompleted();
  }

  /** As when a busy leader is deposed: nested calls would overflow the stack. */
  @Test
  void manyWaitingRequestsMayBeRefusedAtOnce() {
    boolean[] leads = {true};
    Cluster patient =
        new RetryingCluster(
            new FencedCluster(api.cluster, () -> leads[0]),
            new RetryingCluster.Options(
                0, 1, 1, 3, new ExponentialBackoff(Duration.ofMillis(100), Duration.ofSeconds(5))),
            api.time,
            api.time,
            new Random(1));
    List<CompletableFuture<KubeObject>> writes = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      writes.add(patient.update(ScriptedCluster.object("7")));
    }
    leads[0] = false;
    api.answer();
    assertThat(writes.removeFirst()).isCompleted();
    assertThat(writes).allMatch(CompletableFuture::isCompletedExceptionally);
    assertThat(api.asked).hasSize(1);
  }
}
