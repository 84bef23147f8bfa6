package dev.stint.testkit;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.testkit.time.BlockingAnswers;
import dev.stint.testkit.time.SimulatedTimeScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Waits, by watching, until an object meets a test's condition. */
final class ConditionWait {
  private final Jobs jobs;
  private final ObjectRef ref;
  private final String what;
  private final Predicate<KubeObject> condition;

  ConditionWait(Jobs jobs, ObjectRef ref, String what, Predicate<KubeObject> condition) {
    this.jobs = jobs;
    this.ref = ref;
    this.what = what;
    this.condition = condition;
  }

  /**
   * Waits for the object.
   *
   * @param patience the limit in real time
   * @param simulated the limit in simulated time
   */
  KubeObject within(Duration patience, Duration simulated) {
    long deadline = System.nanoTime() + patience.toNanos();
    Instant latest = jobs.controlPlane().clock().instant().plus(simulated);
    while (true) {
      Observer observer = new Observer(latest);
      try (Watch _ = observer.follow()) {
        return observer.found.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException late) {
        throw new AssertionError(unmet(" after " + patience.toMillis() + " ms"), late);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new AssertionError(unmet(": the test was interrupted"), interrupted);
      } catch (ExecutionException ended) {
        Throwable why = Objects.requireNonNull(ended.getCause());
        if (!(why instanceof ClusterException refusal) || refusal.reason() != Reason.GONE) {
          throw new AssertionError(unmet(": " + why.getMessage()), why);
        }
      }
    }
  }

  private String unmet(String how) {
    return "%s %s/%s is not %s%s%s"
        .formatted(
            ref.kind().kind(), ref.namespace(), ref.name(), what, how, ObjectSummary.of(jobs, ref));
  }

  /** Returns where the object is listed; null for a kind that is not namespaced. */
  private @Nullable String namespace() {
    return ref.kind().namespaced() ? ref.namespace() : null;
  }

  /** One list, and the watch that follows it. */
  private final class Observer implements WatchHandler {
    final CompletableFuture<KubeObject> found = new CompletableFuture<>();
    private final Instant latest;
    private volatile boolean travelling;

    Observer(Instant latest) {
      this.latest = latest;
    }

    Watch follow() {
      ObjectList now = BlockingAnswers.of(jobs.cluster().list(ref.kind(), namespace()));
      now.items().stream().filter(this::isMeant).forEach(this::check);
      return jobs.cluster().watch(ref.kind(), namespace(), now.resourceVersion(), this);
    }

    @Override
    public void onEvent(WatchEvent event) {
      if (isMeant(event.object())) {
        if (event.type() == WatchEvent.Type.DELETED) {
          found.completeExceptionally(new IllegalStateException("it was deleted"));
        } else {
          check(event.object());
        }
      }
    }

    @Override
    public void onClosed(@Nullable ClusterException cause) {
      found.completeExceptionally(
          cause == null ? new IllegalStateException("the watch ended") : cause);
    }

    private boolean isMeant(KubeObject object) {
      return object.name().equals(ref.name());
    }

    private void check(KubeObject object) {
      try {
        if (condition.test(object)) {
          found.complete(object);
        } else {
          letTimePass(object);
        }
      } catch (RuntimeException | AssertionError fault) {
        found.completeExceptionally(fault);
      }
    }

    /**
     * Advances simulated time, unless the object is suspended: that only a client ends, not time.
     */
    private void letTimePass(KubeObject object) {
      SimulatedTimeScheduler driver = jobs.controlPlane().driver();
      boolean suspended = Boolean.TRUE.equals(Json.bool(object.spec(), "suspend"));
      if (driver == null || suspended || travelling || !latest.isAfter(clock())) {
        return;
      }
      travelling = true;
      driver.advance(latest, found).thenRun(() -> travelling = false);
    }

    private Instant clock() {
      return jobs.controlPlane().clock().instant();
    }
  }
}
