package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PendingWritesTest {
  private final PendingWrites unanswered = new PendingWrites();

  @Test
  void aWatchLetsTheAnswerOfAWriteGoFirst() throws Exception {
    CompletableFuture<Boolean> end = new CompletableFuture<>();
    CompletableFuture<Boolean> answered = new CompletableFuture<>();
    Thread writer =
        answering(() -> {
          end.join();
          answered.complete(true);
        });
    assertThat(unanswered.pending()).isEqualTo(1);
    end.complete(true);
    writer.join();
    unanswered.await();
    assertThat(answered).isCompleted();
    assertThat(unanswered.pending()).isZero();
  }

  @Test
  void anAnswerThatNobodyTakesKeepsNoWatchForLong() throws Exception {
    CompletableFuture<Boolean> end = new CompletableFuture<>();
    Thread writer = answering(end::join);
    unanswered.await();
    end.complete(true);
    writer.join();
    assertThat(unanswered.pending()).isZero();
  }

  /** Begins a request whose write is done, and which sends its answer this way. */
  private Thread answering(Runnable answer) {
    CompletableFuture<Boolean> waits = new CompletableFuture<>();
    Thread writer =
        Thread.ofVirtual()
            .start(() -> {
              try (PendingWrites.Asked _ = PendingWrites.begin()) {
                unanswered.mayWrite();
                PendingWrites.waitsFor(CompletableFuture.completedFuture(true));
                waits.complete(true);
                answer.run();
              }
            });
    waits.join();
    return writer;
  }

  @Test
  void aWriteThatIsNotDoneKeepsNoWatch() throws Exception {
    try (PendingWrites.Asked _ = PendingWrites.begin()) {
      unanswered.mayWrite();
      PendingWrites.waitsFor(new CompletableFuture<>());
      assertThat(unanswered.pending()).isEqualTo(1);
      unanswered.await();
    }
    assertThat(unanswered.pending()).isZero();
  }

  @Test
  void whoReadsIsNotWaitedFor() {
    try (PendingWrites.Asked _ = PendingWrites.begin()) {
      PendingWrites.waitsFor(CompletableFuture.completedFuture(true));
      assertThat(unanswered.pending()).isZero();
    }
  }
}
