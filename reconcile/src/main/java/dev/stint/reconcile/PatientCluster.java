package dev.stint.reconcile;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.cluster.RetryAfter;
import dev.stint.cluster.Timers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cluster for commands, which sends a request again that the API refused as one too many (429),
 * as {@code kubectl} does. Such a request was not carried out. All other failures are for the user
 * to see at once.
 */
public final class PatientCluster extends ForwardingCluster {
  /** The maximum number of times that a request is sent. */
  static final int TRIES = 10;

  /** The shortest delay, also where the API asks for none. */
  static final Duration DELAY = Duration.ofSeconds(1);

  private final Timers timers;

  public PatientCluster(Cluster cluster, Timers timers) {
    super(cluster);
    this.timers = timers;
  }

  @Override
  protected <T extends @Nullable Object> CompletableFuture<T> send(
      ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
    return send(sending, 1);
  }

  private <T extends @Nullable Object> CompletableFuture<T> send(
      Supplier<CompletableFuture<T>> sending, int number) {
    return sending
        .get()
        .exceptionallyCompose(failure ->
            ClusterException.causeOf(failure) instanceof ClusterException refusal
                    && refusal.reason() == Reason.TOO_MANY_REQUESTS
                    && number < TRIES
                ? pause(refusal).thenCompose(_ -> send(sending, number + 1))
                : CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<@Nullable Void> pause(ClusterException refusal) {
    CompletableFuture<@Nullable Void> over = new CompletableFuture<>();
    timers.after(RetryAfter.atLeast(DELAY, refusal.retryAfter()), () -> over.complete(null));
    return over;
  }
}
