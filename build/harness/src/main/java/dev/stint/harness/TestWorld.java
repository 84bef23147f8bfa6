package dev.stint.harness;

import dev.stint.cluster.EventLoop;
import dev.stint.cluster.Timers;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Queue;
import java.util.Random;
import java.util.TreeSet;

/** An API, an executor, a clock and timers that stand still until they are told to go on. */
public final class TestWorld {
  private record Timer(Instant due, long order, Runnable task) {}

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final TreeSet<Timer> timers =
      new TreeSet<>(Comparator.comparing(Timer::due).thenComparingLong(Timer::order));
  private long order;

  public Instant now;
  public final InstantSource clock = () -> now;
  public final Timers timing =
      (delay, task) -> {
        Timer timer = new Timer(now.plus(delay), order++, task);
        timers.add(timer);
        return () -> timers.remove(timer);
      };
  public final FakeCluster api;

  /** The event loop of components in this world. */
  public final EventLoop eventLoop;

  public TestWorld() {
    this("2026-01-31T12:00:00Z");
  }

  public TestWorld(String start) {
    this.now = Instant.parse(start);
    this.api = new FakeCluster(tasks::add, clock);
    this.eventLoop = new EventLoop(tasks::add, clock, timing, new Random(1));
  }

  public void loop(Runnable task) {
    tasks.add(task);
  }

  /** Runs one task; says whether there was one. */
  public boolean step() {
    Runnable next = tasks.poll();
    if (next != null) {
      next.run();
    }
    return next != null;
  }

  /** Lets all happen that does not wait for time to pass. */
  public void settle() {
    for (int steps = 0; step(); steps++) {
      if (steps > 5_000_000) {
        throw new AssertionError("this never settles");
      }
    }
  }

  /** Lets time pass, with all that happens in it. */
  public void pass(Duration time) {
    Instant end = now.plus(time);
    settle();
    while (!timers.isEmpty() && !timers.first().due().isAfter(end)) {
      Timer next = timers.removeFirst();
      now = next.due().isAfter(now) ? next.due() : now;
      next.task().run();
      settle();
    }
    now = end;
  }

  /** Lets the timers go off that are due, and nothing that follows from it. */
  public void fire() {
    while (!timers.isEmpty() && !timers.first().due().isAfter(now)) {
      timers.removeFirst().task().run();
    }
  }

  /** How many timers run. */
  public int timersSet() {
    return timers.size();
  }

  public boolean exists(ObjectRef ref) {
    return api.peek(ref) != null;
  }

  public KubeObject see(ObjectRef ref) {
    KubeObject found = api.peek(ref);
    if (found == null) {
      throw new AssertionError(ref + " is not there");
    }
    return found;
  }

  public static ObjectRef job(String name) {
    return new ObjectRef(Kind.JOB, "default", name);
  }

  public static ObjectRef pod(String name) {
    return new ObjectRef(Kind.POD, "default", name);
  }

  public static ObjectRef configMap(String name) {
    return new ObjectRef(Kind.CONFIG_MAP, "default", name);
  }

  public static ObjectRef namespace(String name) {
    return new ObjectRef(Kind.NAMESPACE, "", name);
  }

  /** An object of any kind, with members of its metadata in JSON with single quotes. */
  public KubeObject add(ObjectRef ref, String metadata) {
    return add(ref, metadata, "");
  }

  public KubeObject add(ObjectRef ref, String metadata, String rest) {
    return api.add(
        "{'apiVersion': '%s', 'kind': '%s', 'metadata': {'name': '%s'%s%s}%s}"
            .formatted(
                ref.kind().apiVersion(),
                ref.kind().kind(),
                ref.name(),
                ref.namespace().isEmpty() ? "" : ", 'namespace': '" + ref.namespace() + "'",
                metadata.isEmpty() ? "" : ", " + metadata,
                rest.isEmpty() ? "" : ", " + rest));
  }
}
