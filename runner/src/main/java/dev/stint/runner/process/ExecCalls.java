package dev.stint.runner.process;

import dev.stint.runner.runtime.NetworkCheck;
import dev.stint.runner.spec.Handler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Runs the exec probes and hooks of containers. One that was cancelled, since it took too long, may
 * hang all the same. The next one of its container waits until it has ended, so that not each
 * repetition of a probe leaves another thread that hangs.
 */
final class ExecCalls {
  /** The state of a container with calls that were cancelled and have not ended. */
  private static final class Hanging {
    private int calls;
    private final Set<Call> waiting = new LinkedHashSet<>();
  }

  private final Map<String, Hanging> containers = new HashMap<>();

  /**
   * Runs a blocking task on a thread of its own, as {@link NetworkCheck#apart} does.
   *
   * @param container identifies the container
   */
  CompletableFuture<Handler.Result> call(String container, Callable<Handler.Result> blocking) {
    Call call = new Call(container, blocking);
    if (!mustWait(call)) {
      call.begin();
    }
    call.answer.whenComplete((_, _) -> onAnswer(call));
    return call.answer;
  }

  private synchronized boolean mustWait(Call call) {
    Hanging hanging = containers.get(call.container);
    return hanging != null && hanging.waiting.add(call);
  }

  private void onAnswer(Call call) {
    if (call.answer.isCancelled()) {
      onCancelled(call);
    }
  }

  private synchronized void onCancelled(Call call) {
    Hanging hanging = containers.get(call.container);
    if (call.running == null) {
      if (hanging != null) {
        hanging.waiting.remove(call);
      }
    } else if (!call.ended) {
      call.hangs = true;
      containers.computeIfAbsent(call.container, _ -> new Hanging()).calls++;
      call.running.cancel(true);
    }
  }

  private void onEnd(Call ended) {
    afterEnd(ended).forEach(Call::begin);
  }

  /** Returns the calls that waited for this one. */
  private synchronized List<Call> afterEnd(Call ended) {
    ended.ended = true;
    Hanging hanging = containers.get(ended.container);
    if (!ended.hangs || hanging == null || --hanging.calls > 0) {
      return List.of();
    }
    containers.remove(ended.container);
    return new ArrayList<>(hanging.waiting);
  }

  /** One call. All fields that change are guarded by the instance around it. */
  private final class Call {
    private final String container;
    private final Callable<Handler.Result> blocking;
    private final CompletableFuture<Handler.Result> answer = new CompletableFuture<>();
    private @Nullable CompletableFuture<Handler.Result> running;
    private boolean hangs;
    private boolean ended;

    Call(String container, Callable<Handler.Result> blocking) {
      this.container = container;
      this.blocking = blocking;
    }

    void begin() {
      synchronized (ExecCalls.this) {
        if (answer.isDone()) {
          return;
        }
        running = NetworkCheck.apart(this::run);
        running.whenComplete(this::answer);
      }
    }

    private Handler.Result run() throws Exception {
      try {
        return blocking.call();
      } finally {
        onEnd(this);
      }
    }

    private void answer(Handler.@Nullable Result result, @Nullable Throwable fault) {
      if (result != null) {
        answer.complete(result);
      } else if (fault != null) {
        answer.completeExceptionally(fault);
      }
    }
  }
}
