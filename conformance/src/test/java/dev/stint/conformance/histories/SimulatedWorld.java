package dev.stint.conformance.histories;

import dev.stint.apiserver.ApiServer;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.controllers.gc.GarbageCollector;
import dev.stint.controllers.gc.ServedKinds;
import dev.stint.controllers.gc.TtlController;
import dev.stint.controllers.job.JobController;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.TestLoop;
import dev.stint.harness.TestTime;
import dev.stint.model.FeatureGates;
import dev.stint.model.Kind;
import dev.stint.store.Store;
import dev.stint.store.StoreException;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.SimulatedEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Our API and our Job controller for one Job, on the calling thread, in simulated time. */
final class SimulatedWorld implements ControllerWorld {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final TestTime time = new TestTime(START);

  /** Runs the API and the observers. */
  private final TestLoop serving = new TestLoop(time);

  /** Runs the controllers, which see what happens together only when all of it has happened. */
  private final TestLoop controlling = new TestLoop(time);

  private final ApiServer api;

  SimulatedWorld() {
    api =
        new ApiServer(
            store(),
            serving,
            time,
            new Random(1),
            FeatureGates.DEFAULT,
            ApiServer.Options.defaults());
    new JobController(api, eventLoop(), Metrics.NONE, JobControllerOptions.DEFAULT).start();
    new TtlController(api, eventLoop(), Metrics.NONE).start();
    ServedKinds owning = ServedKinds.fixed(List.of(Kind.JOB, Kind.POD));
    new GarbageCollector(api, eventLoop(), Metrics.NONE, owning).start();
    settle();
  }

  private Store store() {
    try {
      return Store.open(new SimulatedEngine(), serving, StoreOptions.defaults());
    } catch (StoreException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private EventLoop eventLoop() {
    return new EventLoop(controlling, time, time, new Random(1));
  }

  /** Lets an observer see all that happens. */
  void observe(JobObserver observer) {
    watch(Kind.JOB, observer::onJob);
    watch(Kind.POD, observer::onPod);
  }

  private void watch(Kind kind, Consumer<WatchEvent> each) {
    String revision = serving.answer(api.list(kind, NAMESPACE)).resourceVersion();
    var _ =
        api.watch(
            kind,
            NAMESPACE,
            revision,
            new WatchHandler() {
              @Override
              public void onEvent(WatchEvent event) {
                each.accept(event);
              }

              @Override
              public void onClosed(@Nullable ClusterException cause) {
                throw new AssertionError("a watch ends by itself", cause);
              }
            });
  }

  /** Lets time pass until so many milliseconds after the start. */
  void passUntil(long millis) {
    Duration left = Duration.between(now(), START.plusMillis(millis));
    settle();
    if (left.isPositive()) {
      time.advance(left, this::settle);
    }
  }

  long millis() {
    return Duration.between(START, now()).toMillis();
  }

  private void settle() {
    do {
      serving.settle();
    } while (controlling.step() || serving.waiting() > 0);
  }

  @Override
  public Cluster api() {
    return api;
  }

  @Override
  public Instant now() {
    return time.instant();
  }

  @Override
  public void send(List<Supplier<CompletableFuture<?>>> requests) {
    List<CompletableFuture<?>> answers = new ArrayList<>();
    requests.forEach(request -> answers.add(request.get()));
    serving.settle();
    answers.forEach(CompletableFuture::join);
  }

  /** Does what needs no time; the next step says how much time passes. */
  @Override
  public void settle(JobObserver observer) {
    settle();
  }
}
