package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.spec.Handler;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ExecCallsTest {
  private final ExecCalls calls = new ExecCalls();
  private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
  private final CompletableFuture<Handler.Result> end = new CompletableFuture<>();

  @Test
  void aCallWaitsForOneThatWasCancelledAndHangs() throws Exception {
    CompletableFuture<Handler.Result> first = calls.call("a", hanging("first"));
    assertThat(begun.take()).isEqualTo("first");
    first.cancel(true);
    CompletableFuture<Handler.Result> second = calls.call("a", passing("second"));
    CompletableFuture<Handler.Result> third = calls.call("a", passing("third"));
    assertThat(calls.call("b", passing("of another container")).get().good()).isTrue();
    assertThat(begun.take()).isEqualTo("of another container");
    second.cancel(true);
    assertThat(begun).isEmpty();
    end.complete(Handler.Result.GOOD);
    assertThat(third.get().good()).isTrue();
    assertThat(begun).containsExactly("third");
  }

  @Test
  void callsThatWereNotCancelledRunTogether() throws Exception {
    CompletableFuture<Handler.Result> first = calls.call("a", hanging("first"));
    assertThat(calls.call("a", passing("second")).get().good()).isTrue();
    assertThat(first).isNotDone();
    end.complete(Handler.Result.GOOD);
    assertThat(first.get().good()).isTrue();
  }

  @Test
  void aCallWaitsForAllThatHang() throws Exception {
    CompletableFuture<Handler.Result> other = new CompletableFuture<>();
    CompletableFuture<Handler.Result> first = calls.call("a", hanging("first"));
    CompletableFuture<Handler.Result> second =
        calls.call("a", () -> uninterruptibly("second", other));
    begun.take();
    begun.take();
    first.cancel(true);
    second.cancel(true);
    CompletableFuture<Handler.Result> third = calls.call("a", passing("third"));
    other.complete(Handler.Result.GOOD);
    end.complete(Handler.Result.GOOD);
    assertThat(third.get().good()).isTrue();
  }

  private Callable<Handler.Result> hanging(String name) {
    return () -> uninterruptibly(name, end);
  }

  /** Goes on when it is interrupted, as a read of a file does. */
  private Handler.Result uninterruptibly(String name, CompletableFuture<Handler.Result> until) {
    begun.add(name);
    return until.join();
  }

  private Callable<Handler.Result> passing(String name) {
    return () -> {
      begun.add(name);
      return Handler.Result.GOOD;
    };
  }
}
