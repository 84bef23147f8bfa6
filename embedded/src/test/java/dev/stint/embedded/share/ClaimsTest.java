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
  void theJobsOfACommandThatHasGoneAreLeftWithTheirPods() {
    KubeObject pod = PodBuilder.of(job, "a-0").build();
    claims.take("one", List.of(TestClaims.claim("a"))).join();
    claims.leave("one");
    assertThat(listener.calls).containsExactly("claim [default/a]", "leave [default/a]");
    assertThat(claims.keys()).isEmpty();
    assertThat(claims.covers(job)).as("it would get new pods").isFalse();
    assertThat(claims.coversPod(pod)).as("it would start").isFalse();
    assertThat(claims.ofPod(pod)).as("its containers may restart").isPresent();
    assertThat(claims.ownerOfPod(pod, "one"::equals)).as("the holder would end it").isTrue();
    assertThat(claims.hasOthers("two")).isTrue();
  }

  @Test
  void aJobThatWasLeftCanStillBeEnded() {
    claims.take("one", List.of(TestClaims.claim("a"))).join();
    claims.leave("one");
    assertThat(claims.covers(JobBuilder.named("a").suspended().build())).isTrue();
    String cancelled = "'conditions':[{'type':'FailureTarget','status':'True'}]";
    assertThat(claims.covers(JobBuilder.named("a").status(cancelled).build())).isTrue();
    assertThat(
            claims.coversPod(
                PodBuilder.of(job, "a-0")
                    .metadata("'deletionTimestamp':'2026-01-01T00:00:00Z'")
                    .build()))
        .isTrue();
  }

  @Test
  void aJobThatWasLeftCanBeClaimedOnceItIsFree() {
    claims.take("one", List.of(TestClaims.claim("a"))).join();
    claims.leave("one");
    CompletableFuture<?> again = claims.take("two", List.of(TestClaims.claim("a")));
    assertThat(again).as("its pods may still be ended").isNotDone();
    listener.free.complete(null);
    assertThat(again).isCompleted();
    assertThat(claims.keys()).containsExactly("default/a");
    assertThat(claims.covers(job)).isTrue();
  }

  @Test
  void aCommandThatGoesWhileItWaitsClaimsNothing() {
    claims.take("one", List.of(TestClaims.claim("a"))).join();
    claims.leave("one");
    CompletableFuture<?> again = claims.take("two", List.of(TestClaims.claim("a")));
    claims.leave("two");
    listener.free.complete(null);
    assertThat(again).isCompletedExceptionally();
    assertThat(claims.covers(job)).isFalse();
  }

  @Test
  void aJobThatWasLeftIsNobodysOnceItsPodsHaveEnded() {
    JobClaim claim = TestClaims.claim("a");
    claims.take("one", List.of(claim)).join();
    claims.settle(List.of(claim));
    assertThat(claims.hasOthers("two")).as("its command is there").isTrue();
    claims.leave("one");
    claims.settle(List.of(claim));
    assertThat(claims.hasOthers("two")).isFalse();
    assertThat(claims.covers(JobBuilder.named("a").suspended().build()))
        .as("it can still be ended")
        .isTrue();
  }

  @Test
  void whatWasForgottenWasNotClaimedAgain() {
    JobClaim claim = TestClaims.claim("a");
    claims.take("one", List.of(claim)).join();
    claims.leave("one");
    claims.forget(List.of(claim));
    assertThat(claims.hasOthers("two")).isFalse();
    claims.take("two", List.of(claim)).join();
    claims.forget(List.of(claim));
    assertThat(claims.covers(job)).isTrue();
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
