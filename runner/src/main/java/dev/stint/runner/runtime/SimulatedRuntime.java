package dev.stint.runner.runtime;

import dev.stint.cluster.Timers;
import dev.stint.model.KubeObject;
import dev.stint.runner.spec.ContainerRole;
import dev.stint.runner.spec.Handler;
import dev.stint.runner.spec.PodSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Simulates containers that only pass time: for benchmarks, demonstrations, and simulations of the
 * whole system. It stands for the machine and outlives the runners that come and go on it.
 */
public final class SimulatedRuntime implements Runtime {
  private static final Duration UNTIL_ENDED = Duration.ofDays(36_500);

  /** Decides the outcomes of the containers of a pod. */
  @FunctionalInterface
  public interface Script {
    Outcome play(KubeObject pod, RandomGenerator random);

    /**
     * Decides the outcome of one container. By default, init containers take no time, and sidecars
     * run until they are ended.
     */
    default Outcome play(ContainerRun run, ContainerRole role, RandomGenerator random) {
      return switch (role) {
        case INIT -> new Outcome(Duration.ZERO, 0);
        case SIDECAR -> new Outcome(UNTIL_ENDED, 0);
        case MAIN -> play(run.pod(), random);
      };
    }

    /** Decides the result of a probe or a hook; success by default. */
    default CompletableFuture<Handler.Result> handle(ContainerRun run, Handler handler) {
      return CompletableFuture.completedFuture(Handler.Result.GOOD);
    }

    /** Returns the volume limit that a pod exceeds; none by default. */
    default Optional<String> overuse(KubeObject pod) {
      return Optional.empty();
    }
  }

  /**
   * The outcome of a container.
   *
   * @param duration its run time
   * @param exitCode its exit code unless it is ended
   * @param stopping the time that it takes to end after SIGTERM
   * @param stoppedCode its exit code then
   * @param outOfMemory whether it ends since it needs more memory, unless it is ended before
   */
  public record Outcome(
      Duration duration, int exitCode, Duration stopping, int stoppedCode, boolean outOfMemory) {
    private static final int TERMINATED = 143;
    private static final int KILLED = 137;

    public Outcome(Duration duration, int exitCode) {
      this(duration, exitCode, Duration.ZERO);
    }

    public Outcome(Duration duration, int exitCode, Duration stopping) {
      this(duration, exitCode, stopping, TERMINATED, false);
    }

    /** Returns the outcome of a container that needs more memory than it has. */
    public Outcome exhausted() {
      return new Outcome(duration, KILLED, stopping, stoppedCode, true);
    }

    /** Returns the outcome of a container that exits with 0 after SIGTERM. */
    public Outcome stoppingWell() {
      return new Outcome(duration, exitCode, stopping, 0, outOfMemory);
    }
  }

  private final Script script;
  private final RandomGenerator random;
  private final InstantSource clock;
  private final Timers timers;
  private final Map<String, Map<String, Simulated>> pods = new HashMap<>();

  public SimulatedRuntime(
      Script script, RandomGenerator random, InstantSource clock, Timers timers) {
    this.script = script;
    this.random = random;
    this.clock = clock;
    this.timers = timers;
  }

  @Override
  public synchronized CompletableFuture<Set<String>> leftovers() {
    return CompletableFuture.completedFuture(Set.copyOf(pods.keySet()));
  }

  @Override
  public synchronized CompletableFuture<Map<String, IdleLeftover>> idleLeftovers() {
    return CompletableFuture.completedFuture(
        pods.entrySet().stream()
            .filter(pod -> pod.getValue().values().stream().noneMatch(Simulated::isRunning))
            .collect(Collectors.toMap(Map.Entry::getKey, pod -> idle(pod.getValue()))));
  }

  private static IdleLeftover idle(Map<String, Simulated> containers) {
    return new IdleLeftover(
        containers.entrySet().stream()
            .filter(each -> !each.getValue().interrupted)
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet()),
        Set.of());
  }

  @Override
  public synchronized Attempt start(ContainerRun run, AttemptListener listener) {
    Map<String, Simulated> containers =
        pods.computeIfAbsent(run.pod().uid(), _ -> new HashMap<>(2));
    Simulated found = containers.get(run.name());
    if (found != null && found.tryTakeOver(run, listener)) {
      return found;
    }
    Simulated started = new Simulated(run, found, listener);
    containers.put(run.name(), started);
    started.begin();
    return started;
  }

  @Override
  public CompletableFuture<Handler.Result> handle(ContainerRun run, Handler handler) {
    return script.handle(run, handler);
  }

  @Override
  public CompletableFuture<Optional<String>> overuse(KubeObject pod) {
    return CompletableFuture.completedFuture(script.overuse(pod));
  }

  @Override
  public synchronized CompletableFuture<@Nullable Void> forget(String podUid) {
    Map<String, Simulated> containers = pods.remove(podUid);
    if (containers != null) {
      containers.values().forEach(each -> each.signal(Attempt.Signal.KILL));
    }
    return CompletableFuture.completedFuture(null);
  }

  /** One run of a container. Guarded by the runtime. */
  private final class Simulated implements Attempt {
    private final ContainerRun run;
    private final int number;
    private final int restartCount;
    private final Instant startedAt = clock.instant();
    private final @Nullable Exit previous;
    private AttemptListener listener;
    private @Nullable Outcome outcome;
    private @Nullable Exit exit;
    private boolean interrupted;
    private Runnable cancel = () -> {};

    Simulated(ContainerRun run, @Nullable Simulated before, AttemptListener listener) {
      this.run = run;
      this.listener = listener;
      if (before == null) {
        this.number = 0;
        this.restartCount = run.restartCount();
        this.previous = null;
      } else {
        this.number = before.number + 1;
        this.restartCount = before.interrupted ? before.restartCount : run.restartCount();
        this.previous = before.interrupted ? before.previous : before.exit;
      }
    }

    private boolean isRunning() {
      return exit == null;
    }

    void begin() {
      if (run.adoptOnly()) {
        end(Exit.neverStarted("The container's outcome was lost", clock.instant()));
        return;
      }
      Outcome plan = script.play(run, PodSpec.role(run.pod(), run.name()), random);
      outcome = plan;
      reportStart();
      if (plan.outOfMemory()) {
        after(plan.duration(), () -> exit(plan.exitCode(), null).withReason(Exit.OOM_KILLED));
      } else {
        endAfter(plan.duration(), plan.exitCode(), null);
      }
    }

    /** Passes an attempt of an earlier life to its new listener; false if it is to be rerun. */
    boolean tryTakeOver(ContainerRun asked, AttemptListener by) {
      if (interrupted || asked.restartCount() > restartCount) {
        return false;
      }
      listener = by;
      reportStart();
      if (exit != null) {
        by.onExited(exit);
      }
      return true;
    }

    @Override
    public void signal(Signal signal) {
      synchronized (SimulatedRuntime.this) {
        if (exit == null) {
          cancel.run();
          if (signal == Signal.TERM && outcome != null) {
            int code = outcome.stoppedCode();
            endAfter(outcome.stopping(), code, code == 0 ? null : signal.number());
          } else {
            endAfter(Duration.ZERO, 128 + signal.number(), signal.number());
          }
        }
      }
    }

    /** Does nothing: there are no records. */
    @Override
    public void changeRecord(UnaryOperator<Exit> change) {}

    @Override
    public void markInterrupted() {
      synchronized (SimulatedRuntime.this) {
        interrupted = exit == null;
      }
    }

    private void reportStart() {
      String id = "simulated://" + run.pod().uid() + "/" + run.name() + "/" + number;
      listener.onStarted(new StartedContainer(id, restartCount, startedAt, previous));
    }

    private void endAfter(Duration delay, int code, @Nullable Integer signal) {
      after(delay, () -> exit(code, signal));
    }

    private Exit exit(int code, @Nullable Integer signal) {
      return Exit.of(code, signal, startedAt, clock.instant());
    }

    private void after(Duration delay, Supplier<Exit> how) {
      if (delay.isZero()) {
        end(how.get());
      } else {
        cancel =
            timers.after(
                delay,
                () -> {
                  synchronized (SimulatedRuntime.this) {
                    if (exit == null) {
                      end(how.get());
                    }
                  }
                });
      }
    }

    private void end(Exit how) {
      exit = how;
      listener.onExited(how);
    }
  }
}
