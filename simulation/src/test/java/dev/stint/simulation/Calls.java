package dev.stint.simulation;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Timers;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One client's way to an API: writes are noted down, may be refused, and may have to keep to so
 * many requests a second, as a Kubernetes client's rate limit has it.
 */
final class Calls implements Cluster {
  enum Verb {
    CREATE,
    UPDATE,
    STATUS,
    PATCH,
    DELETE
  }

  /**
   * A write that was sent.
   *
   * @param body of a creation, an update or a patch; null of a deletion
   */
  record Call(Verb verb, ObjectRef ref, @Nullable ObjectNode body) {
    boolean of(Verb which, Kind kind) {
      return verb == which && ref.kind().equals(kind);
    }
  }

  private final Cluster api;
  private final InstantSource clock;
  private final Timers timers;
  private Instant free = Instant.MIN;

  /** In the order in which they reached the API. */
  final List<Call> sent = new ArrayList<>();

  /** What to answer instead of passing a write on; null where it is passed on. */
  Function<Call, @Nullable ClusterException> refusing = _ -> null;

  /** How often something was read. */
  int reads;

  /** Zero: as many as anyone likes. */
  int requestsPerSecond;

  Calls(Cluster api, InstantSource clock, Timers timers) {
    this.api = api;
    this.clock = clock;
    this.timers = timers;
  }

  /** How many writes of a kind there were. */
  long count(Verb verb, Kind kind) {
    return count(call -> call.of(verb, kind));
  }

  long count(Predicate<Call> which) {
    return sent.stream().filter(which).count();
  }

  private <T extends @Nullable Object> CompletableFuture<T> write(
      Call call, Supplier<CompletableFuture<T>> request) {
    return limited(() -> {
      ClusterException refusal = refusing.apply(call);
      if (refusal != null) {
        return CompletableFuture.failedFuture(refusal);
      }
      sent.add(call);
      return request.get();
    });
  }

  private <T extends @Nullable Object> CompletableFuture<T> limited(
      Supplier<CompletableFuture<T>> request) {
    if (requestsPerSecond == 0) {
      return request.get();
    }
    Instant now = clock.instant();
    free = free.isBefore(now) ? now : free;
    Duration wait = Duration.between(now, free);
    free = free.plusNanos(1_000_000_000L / requestsPerSecond);
    CompletableFuture<T> answer = new CompletableFuture<>();
    timers.after(
        wait,
        () ->
            request
                .get()
                .whenComplete((value, failure) -> {
                  if (failure == null) {
                    answer.complete(value);
                  } else {
                    answer.completeExceptionally(failure);
                  }
                }));
    return answer;
  }

  @Override
  public CompletableFuture<KubeObject> get(ObjectRef ref) {
    reads++;
    return limited(() -> api.get(ref));
  }

  @Override
  public CompletableFuture<ObjectList> list(Kind kind, @Nullable String namespace) {
    reads++;
    return limited(() -> api.list(kind, namespace));
  }

  @Override
  public Watch watch(Kind kind, @Nullable String namespace, String after, WatchHandler handler) {
    return api.watch(kind, namespace, after, handler);
  }

  @Override
  public CompletableFuture<KubeObject> create(KubeObject object) {
    return write(new Call(Verb.CREATE, object.ref(), object.copy()), () -> api.create(object));
  }

  @Override
  public CompletableFuture<KubeObject> update(KubeObject object) {
    return write(new Call(Verb.UPDATE, object.ref(), object.copy()), () -> api.update(object));
  }

  @Override
  public CompletableFuture<KubeObject> updateStatus(KubeObject object) {
    return write(
        new Call(Verb.STATUS, object.ref(), object.copy()), () -> api.updateStatus(object));
  }

  @Override
  public CompletableFuture<KubeObject> updateFinalize(KubeObject namespace) {
    return write(
        new Call(Verb.UPDATE, namespace.ref(), namespace.copy()),
        () -> api.updateFinalize(namespace));
  }

  @Override
  public CompletableFuture<KubeObject> patch(ObjectRef ref, ObjectNode mergePatch) {
    return write(
        new Call(Verb.PATCH, ref, mergePatch.deepCopy()), () -> api.patch(ref, mergePatch));
  }

  @Override
  public CompletableFuture<KubeObject> patchStatus(ObjectRef ref, ObjectNode mergePatch) {
    return write(
        new Call(Verb.STATUS, ref, mergePatch.deepCopy()), () -> api.patchStatus(ref, mergePatch));
  }

  @Override
  public CompletableFuture<@Nullable Void> delete(ObjectRef ref, DeleteOptions options) {
    return write(new Call(Verb.DELETE, ref, null), () -> api.delete(ref, options));
  }
}
