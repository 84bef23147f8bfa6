package dev.stint.conformance.histories;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A Kubernetes API server whose controller manager works at the same time. */
final class RealWorld implements ControllerWorld {
  /** Longer than the Job controller of Kubernetes collects changes of pods, which is a second. */
  private static final Duration QUIET = Duration.ofMillis(2500);

  private static final Duration MOST_LAG = Duration.ofMillis(700);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

  private final Cluster api;
  private final Map<String, JobObserver> observers = new ConcurrentHashMap<>();
  private final ControllerLag lag;

  RealWorld(Cluster api) {
    this.api = api;
    watch(Kind.JOB, (observer, event) -> observer.onJob(event));
    watch(Kind.POD, (observer, event) -> observer.onPod(event));
    this.lag = new ControllerLag(this);
    Thread.ofVirtual().start(lag);
  }

  private void watch(Kind kind, BiConsumer<JobObserver, WatchEvent> each) {
    String revision = api.list(kind, NAMESPACE).join().resourceVersion();
    var _ =
        api.watch(
            kind,
            NAMESPACE,
            revision,
            new WatchHandler() {
              @Override
              public void onEvent(WatchEvent event) {
                JobObserver observer = observers.get(jobName(event.object()));
                if (observer != null) {
                  each.accept(observer, event);
                }
              }

              @Override
              public void onClosed(@Nullable ClusterException cause) {
                System.err.println("the watch ended, so what is recorded has gaps: " + cause);
                Runtime.getRuntime().halt(1);
              }
            });
  }

  private static String jobName(KubeObject object) {
    String label = object.label(Names.JOB_NAME);
    return label == null || object.kindName().equals("Job") ? object.name() : label;
  }

  /** Returns an observer of a Job that does not exist yet. */
  JobObserver observe(String name) {
    JobObserver observer = new JobObserver(System::currentTimeMillis);
    observers.put(name, observer);
    return observer;
  }

  /** Waits until one sees soon what the controller does. */
  void awaitReadiness() {
    while (lag.millis() > MOST_LAG.toMillis()) {
      sleep(LOOK_AGAIN);
    }
  }

  /** Ends the observation, and deletes the Job with its pods, so that the next ones have room. */
  void forget(String name) {
    JobObserver observer = observers.remove(name);
    if (observer == null) {
      return;
    }
    KubeObject job = observer.job();
    if (job != null) {
      quietly(() -> api.delete(job.ref(), DeleteOptions.now(job.uid())));
    }
    for (KubeObject pod : observer.pods()) {
      var patch = Json.object();
      patch.putObject("metadata").putArray("finalizers");
      quietly(() -> api.patch(pod.ref(), patch));
      quietly(() -> api.delete(pod.ref(), DeleteOptions.now(pod.uid())));
    }
  }

  private static void quietly(Supplier<CompletableFuture<?>> request) {
    request.get().exceptionally(_ -> null).join();
  }

  @Override
  public Cluster api() {
    return api;
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public void send(List<Supplier<CompletableFuture<?>>> requests) {
    requests.stream().map(Supplier::get).toList().forEach(CompletableFuture::join);
  }

  @Override
  public void settle(JobObserver observer) {
    while (System.currentTimeMillis() - observer.changed() < quiet(observer) + 2 * lag.millis()) {
      sleep(LOOK_AGAIN);
    }
  }

  /** The garbage collector takes its time. */
  private static long quiet(JobObserver observer) {
    KubeObject job = observer.job();
    boolean deleting = job == null || job.deletionTimestamp() != null;
    return (deleting ? QUIET.multipliedBy(3) : QUIET).toMillis();
  }

  /** Lets time pass. */
  static void sleep(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }
}
