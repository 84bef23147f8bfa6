package dev.stint.runner;

import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.spec.Handler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One call of a handler with a timeout. On the loop only. */
final class HandlerCall {
  private final Consumer<Handler.Result> done;
  private @Nullable CompletableFuture<Handler.Result> answer;
  private Runnable cancelTimer = () -> {};
  private boolean over;

  private HandlerCall(Consumer<Handler.Result> done) {
    this.done = done;
  }

  /**
   * Starts a call.
   *
   * @param done receives the result on the loop, unless the call is cancelled
   * @return a handle whose {@code run} cancels the call; harmless after its end
   */
  static Runnable start(
      NodePorts node,
      ContainerRun run,
      Handler handler,
      Duration timeout,
      Consumer<Handler.Result> done) {
    HandlerCall call = new HandlerCall(done);
    if (handler instanceof Handler.Sleep(Duration duration) && duration.compareTo(timeout) <= 0) {
      call.cancelTimer = node.after(duration, () -> call.finish(Handler.Result.GOOD));
      return call::cancel;
    }
    call.cancelTimer =
        node.after(
            timeout,
            () ->
                call.finish(Handler.Result.bad("no answer within " + timeout.toSeconds() + " s")));
    if (!(handler instanceof Handler.Sleep)) {
      call.answer = node.runtime().handle(run, handler);
      call.answer.whenComplete(
          (result, failure) -> node.loop().execute(() -> call.finish(result(result, failure))));
    }
    return call::cancel;
  }

  private static Handler.Result result(
      Handler.@Nullable Result result, @Nullable Throwable failure) {
    return result == null
        ? Handler.Result.unknown(String.valueOf(NodePorts.plain(failure)))
        : result;
  }

  private void finish(Handler.Result result) {
    if (!over) {
      cancel();
      done.accept(result);
    }
  }

  private void cancel() {
    over = true;
    cancelTimer.run();
    if (answer != null) {
      answer.cancel(true);
    }
  }
}
