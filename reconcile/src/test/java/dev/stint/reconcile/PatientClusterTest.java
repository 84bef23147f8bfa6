package dev.stint.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PatientClusterTest {
  private final ScriptedCluster api = new ScriptedCluster();
  private final PatientCluster patient = new PatientCluster(api.cluster, api.time);

  private static ClusterException answer(Reason reason) {
    return new ClusterException(reason, "no");
  }

  @Test
  void aRequestThatIsOneTooManyIsSentAgain() {
    CompletableFuture<KubeObject> read = patient.get(ScriptedCluster.ref());
    api.refuse(answer(Reason.TOO_MANY_REQUESTS));
    api.pass(Duration.ofMillis(999));
    assertThat(api.asked).hasSize(1);
    api.pass(Duration.ofMillis(1));
    assertThat(api.asked).hasSize(2);
    api.answer();
    assertThat(read).isCompleted();
  }

  @Test
  void theDelayThatTheApiAsksForIsKeptWithinALimit() {
    CompletableFuture<KubeObject> read = patient.get(ScriptedCluster.ref());
    api.refuse(answer(Reason.TOO_MANY_REQUESTS).withRetryAfter(Duration.ofSeconds(3)));
    api.pass(Duration.ofMillis(2_999));
    assertThat(api.asked).hasSize(1);
    api.pass(Duration.ofMillis(1));
    api.refuse(answer(Reason.TOO_MANY_REQUESTS).withRetryAfter(Duration.ofHours(1)));
    api.pass(Duration.ofSeconds(5));
    assertThat(api.asked).hasSize(3);
    assertThat(read).isNotDone();
  }

  @Test
  void afterTheLastTryTheCallerGetsTheRefusal() {
    CompletableFuture<KubeObject> read = patient.get(ScriptedCluster.ref());
    for (int i = 0; i < PatientCluster.TRIES; i++) {
      api.refuse(answer(Reason.TOO_MANY_REQUESTS));
      api.pass(PatientCluster.DELAY);
    }
    assertThat(read).isCompletedExceptionally();
    assertThat(api.asked).hasSize(PatientCluster.TRIES);
  }

  @ParameterizedTest
  @EnumSource(value = Reason.class, names = "TOO_MANY_REQUESTS", mode = EnumSource.Mode.EXCLUDE)
  void otherFailuresAreToldAtOnce(Reason reason) {
    CompletableFuture<KubeObject> read = patient.get(ScriptedCluster.ref());
    api.refuse(answer(reason));
    assertThat(read).isCompletedExceptionally();
  }
}
