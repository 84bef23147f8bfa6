package dev.stint.testkit;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Waits by watching for an object to be as a test wants it. */
final class Waiting {
  private final Jobs jobs;
  private final ObjectRef ref;
  private final String what;
  private final Predicate<KubeObject> condition;

  Waiting(Jobs jobs, ObjectRef ref, String what, Predicate<KubeObject> condition) {
    this.jobs = jobs;
    this.ref = ref;
    this.what = what;
    this.condition = condition;
  }

  KubeObject within(Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      Observer observer = new Observer();
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
    return ref.kind().kind()
        + " "
        + ref.namespace()
        + "/"
        + ref.name()
        + " is not "
        + what
        + how
        + State.of(jobs, ref);
  }

  /** One list and the watch that follows it. */
  private final class Observer implements WatchHandler {
    final CompletableFuture<KubeObject> found = new CompletableFuture<>();

    Watch follow() {
      ObjectList now = Jobs.answer(jobs.cluster().list(ref.kind(), ref.namespace()));
      now.items().stream().filter(this::isMeant).forEach(this::look);
      return jobs.cluster().watch(ref.kind(), ref.namespace(), now.resourceVersion(), this);
    }

    @Override
    public void event(WatchEvent event) {
      if (isMeant(event.object())) {
        if (event.type() == WatchEvent.Type.DELETED) {
          found.completeExceptionally(new IllegalStateException("it was deleted"));
        } else {
          look(event.object());
        }
      }
    }

    @Override
    public void closed(@Nullable ClusterException cause) {
      found.completeExceptionally(
          cause == null ? new IllegalStateException("the watch ended") : cause);
    }

    private boolean isMeant(KubeObject object) {
      return object.name().equals(ref.name());
    }

    private void look(KubeObject object) {
      try {
        if (condition.test(object)) {
          found.complete(object);
        }
      } catch (RuntimeException | AssertionError fault) {
        found.completeExceptionally(fault);
      }
    }
  }
}
