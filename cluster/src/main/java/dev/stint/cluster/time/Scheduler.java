package dev.stint.cluster.time;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * One thread for many. Each component has a queue of its own, and the seed picks whose next task
 * runs. Where nobody has anything to do, time jumps to the next timer; now and then it does so
 * before. A timer that is due goes off soon, whatever else there is to do.
 *
 * <p>Any thread may hand in tasks. They run in the one that calls {@link #step} or {@link #work}.
 */
public final class Scheduler {
  private static final int NEW_SPEEDS_EVERY = 64;

  /** For how many tasks, on average, a timer waits that is due; none waits for ever. */
  private static final int LATE_TIMERS_WAIT = 16;

  private final RandomGenerator random;
  private final SimulatedTime time;
  private final double haste;
  private final Duration longestTask;
  private final List<Queue> queues = new ArrayList<>();
  private int steps;

  /**
   * @param haste how likely a timer goes off although there is something to do, 0 to 1
   * @param longestTask how much time goes by with a task at most
   */
  public Scheduler(RandomGenerator random, SimulatedTime time, double haste, Duration longestTask) {
    this.random = random;
    this.time = time;
    this.haste = haste;
    this.longestTask = longestTask;
  }

  /** Time passes between tasks, never before they are done, and not with them. */
  public Scheduler(RandomGenerator random, SimulatedTime time) {
    this(random, time, 0, Duration.ZERO);
  }

  /** Its tasks are guarded by the scheduler. */
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
        if (!owner.over()) {
          tasks.add(task);
        }
      }
    }

    Runnable take() {
      return tasks.remove(ordered ? 0 : random.nextInt(tasks.size()));
    }
  }

  /** An executor that runs tasks one at a time, in order, until its owner has ended. */
  public Executor serial(Lifetime owner) {
    return add(new Queue(owner, true));
  }

  /** An executor that runs tasks in any order, such as a network that requests travel on. */
  public Executor unordered(Lifetime owner) {
    return add(new Queue(owner, false));
  }

  private synchronized Executor add(Queue queue) {
    queues.add(queue);
    return queue;
  }

  /** Runs one task or timer; says whether there was one. */
  public boolean step() {
    beginStep();
    boolean ready = ready();
    if (!ready
        || random.nextDouble() < haste
        || time.due() && random.nextInt(LATE_TIMERS_WAIT) == 0) {
      if (time.jump()) {
        return true;
      }
    }
    return ready && run(pick());
  }

  /** Runs one task, and no timer; says whether there was one. */
  public boolean work() {
    beginStep();
    return ready() && run(pick());
  }

  private synchronized void beginStep() {
    queues.removeIf(queue -> queue.owner.over());
    if (steps++ % NEW_SPEEDS_EVERY == 0) {
      queues.forEach(queue -> queue.speed = 1 << random.nextInt(6));
    }
    long micros = longestTask.toNanos() / 1000;
    if (micros > 0) {
      time.pass(Duration.ofNanos(1000 * random.nextLong(micros)));
    }
  }

  private synchronized boolean ready() {
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

  /** A task of one of those that are ready, of which there is one at least. */
  private synchronized Runnable pick() {
    int chance = random.nextInt(speed());
    for (Queue queue : queues) {
      chance -= queue.tasks.isEmpty() ? 0 : queue.speed;
      if (chance < 0) {
        return queue.take();
      }
    }
    throw new IllegalStateException("nobody is ready");
  }

  private int speed() {
    int sum = 0;
    for (Queue queue : queues) {
      sum += queue.tasks.isEmpty() ? 0 : queue.speed;
    }
    return sum;
  }
}
