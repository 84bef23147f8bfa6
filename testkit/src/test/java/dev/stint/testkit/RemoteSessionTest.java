package dev.stint.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class RemoteSessionTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final RemoteSession session =
      new RemoteSession(
          new TestSession(
              TestControlPlane.start(
                  new TestSettings(
                      true, false, START, 1, false, List.of(), UnaryOperator.identity())),
              false),
          RemoteSessionTest.class.getClassLoader());

  /** The test has the lock that an advance has while it runs. */
  @Test
  void readingDoesNotWaitForAnAdvance() {
    try (session) {
      synchronized (session) {
        assertThat(answer("instant")).isEqualTo(START.toString());
        assertThat(answer("kubeconfig")).contains(answer("namespace"));
      }
    }
  }

  private String answer(String verb) {
    return CompletableFuture.supplyAsync(
            () -> session.done(verb, List.of()), Thread::startVirtualThread)
        .join();
  }
}
