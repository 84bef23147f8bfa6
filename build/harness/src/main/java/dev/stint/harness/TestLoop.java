package dev.stint.harness;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** An executor, a clock and timers that stand still until the test's thread lets them continue. */
public class TestLoop implements Executor {
  private static final int ENDLESS = 50_000_000;

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  public final TestTime time;

  public TestLoop() {
    this(new TestTime());
  }

  public TestLoop(TestTime time) {
    this.time = time;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  public Instant now() {
    return time.instant();
  }

  /** Returns an event loop for components. */
  public EventLoop eventLoop() {
    return new EventLoop(this, time, time, new Random(1));
  }

  /** Runs one task; false if there is none. */
  public boolean step() {
    Runnable next = tasks.poll();
    if (next != null) {
      next.run();
    }
    return next != null;
  }

  /** Returns the number of waiting tasks. */
  public int waiting() {
    return tasks.size();
  }

  /** Runs everything that does not wait for time to pass. */
  public void settle() {
    for (int steps = 0; step(); steps++) {
      if (steps > ENDLESS) {
        throw new AssertionError("this never settles");
      }
    }
  }

  /** Advances the time, and runs everything that happens meanwhile. */
  public void pass(Duration by) {
    settle();
    time.advance(by, this::settle);
  }

  /** Returns the answer of a request, once everything has settled. */
  public <T extends @Nullable Object> T answer(CompletableFuture<T> request) {
    settle();
    if (!request.isDone()) {
      throw new AssertionError("there is no answer");
    }
    return request.join();
  }

  /** Returns why a request was refused. */
  public ClusterException refusal(CompletableFuture<?> request) {
    try {
      throw new AssertionError("the request was carried out: " + answer(request));
    } catch (CompletionException failure) {
      if (ClusterException.causeOf(failure) instanceof ClusterException refusal) {
        return refusal;
      }
      throw failure;
    }
  }
}
