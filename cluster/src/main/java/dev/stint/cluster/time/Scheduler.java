package dev.stint.cluster.time;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * A deterministic scheduler that runs many components on one thread. Each component has its own
 * queue, and the seed picks the queue whose task runs next. If all queues are empty, time jumps to
 * the next timer; sometimes it does so before. A due timer fires soon, even while tasks wait.
 *
 * <p>Any thread may submit tasks. They run on the thread that calls {@link #step} or {@link #work}.
 */
public final class Scheduler {
  private static final int NEW_SPEEDS_EVERY = 64;

  /** The average number of tasks for which a due timer waits; none waits forever. */
  private static final int LATE_TIMERS_WAIT = 16;

  private final RandomGenerator random;
  private final SimulatedTime time;
  private final double haste;
  private final Duration longestTask;
  private final List<Queue> queues = new ArrayList<>();
  private int steps;

  /**
   * @param haste the probability, 0 to 1, that a timer fires although tasks wait
   * @param longestTask the longest simulated time that a task takes
   */
  public Scheduler(RandomGenerator random, SimulatedTime time, double haste, Duration longestTask) {
    this.random = random;
    this.time = time;
    this.haste = haste;
    this.longestTask = longestTask;
  }

  /**
   * Creates a scheduler without haste: time passes only when all tasks are done, and tasks take no
   * time.
   */
  public Scheduler(RandomGenerator random, SimulatedTime time) {
    this(random, time, 0, Duration.ZERO);
  }

  /** A queue of tasks, guarded by the scheduler. */
  private final class Queue implements Executor {
    final Lifetime owner;
    final boolean ordered;
    final List<Runnable> tasks = new ArrayList<>();
    int speed = 1;

    Queue(Lifetime owner, boolean ordered) {
      this.owner = owner;
      this.ordered = ordered;
    }

    @Override
    public void execute(Runnable task) {
      synchronized (Scheduler.this) {
        if (!owner.hasEnded()) {
          tasks.add(task);
        }
      }
    }

    Runnable take() {
      return tasks.remove(ordered ? 0 : random.nextInt(tasks.size()));
    }
  }

  /** Returns an executor that runs tasks one at a time, in order, until its owner has ended. */
  public Executor serial(Lifetime owner) {
    return add(new Queue(owner, true));
  }

  /** Returns an executor that runs tasks in any order, such as a network that carries requests. */
  public Executor unordered(Lifetime owner) {
    return add(new Queue(owner, false));
  }

  private synchronized Executor add(Queue queue) {
    queues.add(queue);
    return queue;
  }

  /** Runs one task or timer; false if there was none. */
  public boolean step() {
    beginStep();
    boolean ready = hasTasks();
    boolean jumps = !ready || random.nextDouble() < haste;
    boolean fires = jumps || time.hasDueTimer() && random.nextInt(LATE_TIMERS_WAIT) == 0;
    // A due timer whose owner has ended does not fire, and must not let time pass.
    if (fires && time.jump(jumps ? Instant.MAX : time.instant())) {
      return true;
    }
    return ready && run(pick());
  }

  /** Runs one task, and no timer; false if there was none. */
  public boolean work() {
    beginStep();
    return hasTasks() && run(pick());
  }

  /** True if no task waits, so that only timers are left. */
  public boolean isIdle() {
    return !hasTasks();
  }

  private synchronized void beginStep() {
    queues.removeIf(queue -> queue.owner.hasEnded());
    if (steps++ % NEW_SPEEDS_EVERY == 0) {
      queues.forEach(queue -> queue.speed = 1 << random.nextInt(6));
    }
    long micros = longestTask.toNanos() / 1000;
    if (micros > 0) {
      time.pass(Duration.ofNanos(1000 * random.nextLong(micros)));
    }
  }

  private synchronized boolean hasTasks() {
    for (Queue queue : queues) {
      if (!queue.tasks.isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private static boolean run(Runnable task) {
    task.run();
    return true;
  }

  /** Returns a task of a random queue with tasks; there must be at least one. */
  private synchronized Runnable pick() {
    int chance = random.nextInt(speed());
    for (Queue queue : queues) {
      chance -= queue.tasks.isEmpty() ? 0 : queue.speed;
      if (chance < 0) {
        return queue.take();
      }
    }
    throw new IllegalStateException("no task is ready");
  }

  private int speed() {
    int sum = 0;
    for (Queue queue : queues) {
      sum += queue.tasks.isEmpty() ? 0 : queue.speed;
    }
    return sum;
  }
}
