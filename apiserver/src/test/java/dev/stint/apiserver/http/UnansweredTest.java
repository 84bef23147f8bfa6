package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UnansweredTest {
  private final Unanswered unanswered = new Unanswered();

  @Test
  void aWatchLetsTheAnswerOfAWriteGoFirst() throws Exception {
    CompletableFuture<Boolean> committed = new CompletableFuture<>();
    CompletableFuture<Boolean> waits = new CompletableFuture<>();
    CompletableFuture<Boolean> answered = new CompletableFuture<>();
    Thread writer =
        Thread.ofVirtual()
            .start(() -> {
              try (Unanswered.Asked _ = Unanswered.begin()) {
                unanswered.mayWrite();
                Unanswered.waitsFor(CompletableFuture.completedFuture(true));
                waits.complete(true);
                committed.join();
                answered.complete(true);
              }
            });
    waits.join();
    assertThat(unanswered.pending()).isEqualTo(1);
    committed.complete(true);
    writer.join();
    unanswered.await();
    assertThat(answered).isCompleted();
    assertThat(unanswered.pending()).isZero();
  }

  @Test
  void anAnswerThatNobodyTakesKeepsNoWatchForLong() throws Exception {
    CompletableFuture<Boolean> end = new CompletableFuture<>();
    CompletableFuture<Boolean> waits = new CompletableFuture<>();
    Thread writer =
        Thread.ofVirtual()
            .start(() -> {
              try (Unanswered.Asked _ = Unanswered.begin()) {
                unanswered.mayWrite();
                Unanswered.waitsFor(CompletableFuture.completedFuture(true));
                waits.complete(true);
                end.join();
              }
            });
    waits.join();
    unanswered.await();
    end.complete(true);
    writer.join();
    assertThat(unanswered.pending()).isZero();
  }

  @Test
  void aWriteThatIsNotDoneKeepsNoWatch() throws Exception {
    try (Unanswered.Asked _ = Unanswered.begin()) {
      unanswered.mayWrite();
      Unanswered.waitsFor(new CompletableFuture<>());
      assertThat(unanswered.pending()).isEqualTo(1);
      unanswered.await();
    }
    assertThat(unanswered.pending()).isZero();
  }

  @Test
  void whoReadsIsNotWaitedFor() {
    try (Unanswered.Asked _ = Unanswered.begin()) {
      Unanswered.waitsFor(CompletableFuture.completedFuture(true));
      assertThat(unanswered.pending()).isZero();
    }
  }
}
