package dev.stint.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The one thread. Each component has a queue of its own, and the seed picks whose next task runs.
 * Where nobody has anything to do, time jumps to the next timer; now and then it does so before. A
 * timer that is due goes off soon, whatever else there is to do.
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

  private final class Queue implements Executor {
    final Life owner;
    final boolean ordered;
    final List<Runnable> tasks = new ArrayList<>();
    int speed = 1;

    Queue(Life owner, boolean ordered) {
      this.owner = owner;
      this.ordered = ordered;
    }

    @Override
    public void execute(Runnable task) {
      if (!owner.over()) {
        tasks.add(task);
      }
    }

    void runOne() {
      tasks.remove(ordered ? 0 : random.nextInt(tasks.size())).run();
    }
  }

  /** An executor that runs tasks one at a time, in order, until its owner has ended. */
  public Executor serial(Life owner) {
    return add(new Queue(owner, true));
  }

  /** An executor that runs tasks in any order, such as a network that requests travel on. */
  public Executor unordered(Life owner) {
    return add(new Queue(owner, false));
  }

  private Executor add(Queue queue) {
    queues.add(queue);
    return queue;
  }

  /** Runs one task or timer; says whether there was one. */
  public boolean step() {
    queues.removeIf(queue -> queue.owner.over());
    if (steps++ % NEW_SPEEDS_EVERY == 0) {
      queues.forEach(queue -> queue.speed = 1 << random.nextInt(6));
    }
    long micros = longestTask.toNanos() / 1000;
    if (micros > 0) {
      time.pass(Duration.ofNanos(1000 * random.nextLong(micros)));
    }
    List<Queue> ready = queues.stream().filter(queue -> !queue.tasks.isEmpty()).toList();
    if (ready.isEmpty()
        || random.nextDouble() < haste
        || time.due() && random.nextInt(LATE_TIMERS_WAIT) == 0) {
      if (time.jump()) {
        return true;
      }
    }
    if (ready.isEmpty()) {
      return false;
    }
    pick(ready).runOne();
    return true;
  }

  private Queue pick(List<Queue> ready) {
    int chance = random.nextInt(ready.stream().mapToInt(queue -> queue.speed).sum());
    for (Queue queue : ready) {
      chance -= queue.speed;
      if (chance < 0) {
        return queue;
      }
    }
    return ready.getLast();
  }
}
