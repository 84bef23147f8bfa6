package dev.stint.cli.simulate;

import dev.stint.model.KubeObject;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.Runtime;
import dev.stint.runner.runtime.StartedContainer;
import dev.stint.runner.spec.Handler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Measures the cost of the pods of each Job, by their first container. One thread. */
final class MeteredRuntime implements Runtime {
  private final Runtime runtime;
  private final InstantSource clock;
  private final Map<String, JobMeter> meters = new HashMap<>();

  MeteredRuntime(Runtime runtime, InstantSource clock) {
    this.runtime = runtime;
    this.clock = clock;
  }

  /** Returns the cost of a Job, by its uid. */
  JobMeter of(String job) {
    return meters.computeIfAbsent(job, _ -> new JobMeter());
  }

  /** The cost of one Job. */
  final class JobMeter {
    private final Map<Object, Instant> running = new HashMap<>();
    private @Nullable Instant first;
    private int attempts;
    private int failed;
    private Duration time = Duration.ZERO;

    private JobMeter() {}

    /** Returns the start of its first attempt; null if none has started. */
    @Nullable Instant first() {
      return first;
    }

    int attempts() {
      return attempts;
    }

    /** Counts the attempts that failed by themselves, and were not ended. */
    int failed() {
      return failed;
    }

    /** Returns the total run time of all attempts, up to now. */
    Duration time() {
      Instant now = clock.instant();
      Duration all = time;
      for (Instant since : running.values()) {
        all = all.plus(Duration.between(since, now));
      }
      return all;
    }

    private void start(Object attempt) {
      Instant now = clock.instant();
      first = first == null ? now : first;
      attempts++;
      running.put(attempt, now);
    }

    private void end(Object attempt, Exit exit) {
      Instant since = running.remove(attempt);
      if (since != null) {
        time = time.plus(Duration.between(since, clock.instant()));
      }
      if (exit.code() != 0 && exit.signal() == null) {
        failed++;
      }
    }
  }

  @Override
  public Attempt start(ContainerRun run, AttemptListener listener) {
    String job = Objects.requireNonNullElse(run.pod().controllerUid(), "");
    return runtime.start(run, isFirst(run) ? new Meter(of(job), listener) : listener);
  }

  private static boolean isFirst(ContainerRun run) {
    JsonNode spec = run.pod().spec();
    return spec != null && run.name().equals(spec.at("/containers/0/name").asString());
  }

  private record Meter(JobMeter meter, AttemptListener listener, Object attempt)
      implements AttemptListener {
    Meter(JobMeter meter, AttemptListener listener) {
      this(meter, listener, new Object());
    }

    @Override
    public void onStarted(StartedContainer started) {
      meter.start(attempt);
      listener.onStarted(started);
    }

    @Override
    public void onExited(Exit exit) {
      meter.end(attempt, exit);
      listener.onExited(exit);
    }
  }

  @Override
  public CompletableFuture<Set<String>> leftovers() {
    return CompletableFuture.completedFuture(Set.of());
  }

  @Override
  public CompletableFuture<Handler.Result> handle(ContainerRun run, Handler handler) {
    return runtime.handle(run, handler);
  }

  @Override
  public CompletableFuture<Optional<String>> overuse(KubeObject pod) {
    return runtime.overuse(pod);
  }

  @Override
  public CompletableFuture<@Nullable Void> forget(String podUid) {
    return runtime.forget(podUid);
  }
}
