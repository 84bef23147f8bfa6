package dev.stint.embedded.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cluster.ClusterException;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ClaimsTest {
  private final TestClaims listener = new TestClaims();
  private final Claims claims = new Claims(listener);
  private final KubeObject job = JobBuilder.named("a").build();

  @Test
  void aClaimCoversItsJobAndPods() {
    assertThat(claims.covers(job)).isFalse();
    claims.take("one", List.of(TestClaims.claim("a"))).join();
    assertThat(claims.covers(job)).isTrue();
    assertThat(claims.ofPod(PodBuilder.of(job, "a-0").build()).orElseThrow().name()).isEqualTo("a");
    assertThat(claims.keys()).containsExactly("default/a");
    assertThat(listener.calls).containsExactly("claim [default/a]");
    claims.release("one");
    assertThat(claims.covers(job)).isFalse();
  }

  @Test
  void oneCommandAtATimeHasAJob() {
    claims.take("one", List.of(TestClaims.claim("a"))).join();
    CompletableFuture<?> refused =
        claims.take("two", List.of(TestClaims.claim("b"), TestClaims.claim("a")));
    assertThatThrownBy(refused::join)
        .hasCauseInstanceOf(ClusterException.class)
        .hasMessageContaining(
            "Job \"a\" is already being run by stint run (pid 7); stint wait a waits for it");
    assertThat(claims.keys()).containsExactly("default/a");
    claims.take("one", List.of(TestClaims.claim("a"), TestClaims.claim("c"))).join();
    assertThat(claims.keys()).containsExactly("default/a", "default/c");
  }

  @Test
  void theJobsOfACommandThatHasGoneAreInterrupted() {
    claims.take("one", List.of(TestClaims.claim("a"))).join();
    claims.abandon("one");
    assertThat(listener.calls).containsExactly("claim [default/a]", "interrupt [default/a]");
    assertThat(claims.keys()).isEmpty();
    assertThat(claims.covers(job)).describedAs("the controller still ends its pods").isTrue();
    listener.interrupted.complete(null);
    listener.stopped.complete(null);
    assertThat(claims.covers(job)).isFalse();
  }

  @Test
  void anInterruptedJobCanBeClaimedAgainOnceItsPodsHaveEnded() {
    claims.take("one", List.of(TestClaims.claim("a"))).join();
    claims.abandon("one");
    CompletableFuture<?> again = claims.take("two", List.of(TestClaims.claim("a")));
    assertThat(again).isNotDone();
    listener.interrupted.complete(null);
    assertThat(again).as("an index would run twice").isNotDone();
    listener.stopped.complete(null);
    assertThat(again).isCompleted();
    assertThat(claims.keys()).containsExactly("default/a");
  }

  @Test
  void aCommandThatGoesWhileItWaitsClaimsNothing() {
    claims.take("one", List.of(TestClaims.claim("a"))).join();
    claims.abandon("one");
    CompletableFuture<?> again = claims.take("two", List.of(TestClaims.claim("a")));
    claims.abandon("two");
    listener.interrupted.complete(null);
    listener.stopped.complete(null);
    assertThat(again).isCompletedExceptionally();
    assertThat(claims.covers(job)).isFalse();
  }

  @Test
  void podsOfAnotherJobOfTheSameNameInheritNothing() {
    claims.take("one", List.of(TestClaims.claim("a"))).join();
    claims.bind("one", job);
    assertThat(claims.ofPod(PodBuilder.of(job, "a-0").build())).isPresent();
    KubeObject other = JobBuilder.named("a").uid("of-somebody-else").build();
    assertThat(claims.ofPod(PodBuilder.of(other, "a-0").build())).isEmpty();
  }
}
