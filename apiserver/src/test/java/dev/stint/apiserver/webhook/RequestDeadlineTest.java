package dev.stint.apiserver.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RequestDeadlineTest {
  private static final Duration STEP = Duration.ofDays(1);

  private static long leftOfAStep() {
    return RequestDeadline.left(RequestDeadline.of(STEP));
  }

  @Test
  void aStepEndsWithItsRequest() {
    assertThat(leftOfAStep()).isGreaterThan(Duration.ofMinutes(2).toNanos());
    assertThat(RequestDeadline.<Long, RuntimeException>within(() -> leftOfAStep()))
        .isLessThanOrEqualTo(Duration.ofSeconds(60).toNanos());
    assertThat(RequestDeadline.<Long, RuntimeException>within(Duration.ZERO, () -> leftOfAStep()))
        .isZero();
  }

  @Test
  void aPartOfARequestHasNoTimeOfItsOwn() {
    long left =
        RequestDeadline.<Long, RuntimeException>within(
            Duration.ZERO,
            () -> RequestDeadline.<Long, RuntimeException>within(() -> leftOfAStep()));
    assertThat(left).isZero();
  }

  @Test
  void anotherThreadOfTheRequestHasItsDeadline() {
    Supplier<Long> part =
        RequestDeadline.<Supplier<Long>, RuntimeException>within(
            Duration.ZERO, () -> RequestDeadline.handedOver(RequestDeadlineTest::leftOfAStep));
    assertThat(CompletableFuture.supplyAsync(part, Thread::startVirtualThread).join()).isZero();
  }
}
