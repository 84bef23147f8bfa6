package dev.stint.simulation;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.cluster.Timers;
import dev.stint.model.Kind;
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
 * The access of one client to an API: writes are recorded, may be refused, and may be rate-limited
 * as in a Kubernetes client.
 */
final class RecordingCluster extends ForwardingCluster {
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
   * @param body of a creation, an update or a patch; null for a deletion
   */
  record Call(Verb verb, ObjectRef ref, @Nullable ObjectNode body) {
    boolean of(Verb which, Kind kind) {
      return verb == which && ref.kind().equals(kind);
    }
  }

  private final InstantSource clock;
  private final Timers timers;
  private Instant free = Instant.MIN;

  /** In the order in which they reached the API. */
  final List<Call> sent = new ArrayList<>();

  /** The answer to a write in place of forwarding it; null to forward it. */
  Function<Call, @Nullable ClusterException> refusing = _ -> null;

  /** The number of reads. */
  int reads;

  /** Zero for no limit. */
  int requestsPerSecond;

  RecordingCluster(Cluster api, InstantSource clock, Timers timers) {
    super(api);
    this.clock = clock;
    this.timers = timers;
  }

  /** Counts the writes to a kind. */
  long count(Verb verb, Kind kind) {
    return count(call -> call.of(verb, kind));
  }

  long count(Predicate<Call> which) {
    return sent.stream().filter(which).count();
  }

  @Override
  protected <T extends @Nullable Object> CompletableFuture<T> send(
      ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
    if (!request.isWrite()) {
      reads++;
      return limited(sending);
    }
    ObjectNode body = request.body();
    Call call = new Call(verb(request), request.ref(), body == null ? null : body.deepCopy());
    return limited(() -> {
      ClusterException refusal = refusing.apply(call);
      if (refusal != null) {
        return CompletableFuture.failedFuture(refusal);
      }
      sent.add(call);
      return sending.get();
    });
  }

  private static Verb verb(ClusterRequest request) {
    return request.subresource().equals("status")
        ? Verb.STATUS
        : Verb.valueOf(request.verb().name());
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
}
