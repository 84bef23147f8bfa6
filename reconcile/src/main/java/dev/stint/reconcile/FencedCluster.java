package dev.stint.reconcile;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.ForwardingCluster;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that writes only while this process may write. It checks right before it sends each
 * write, so that a process that has lost its lease does no harm with earlier decisions. Reads are
 * always sent.
 *
 * <p>A refused write fails with {@code FORBIDDEN} and {@link ClusterException#isWithheld}, and has
 * not been sent.
 */
public final class FencedCluster extends ForwardingCluster {
  private final BooleanSupplier allowed;
  private final Object lock = new Object();
  private int underWay;
  private @Nullable CompletableFuture<@Nullable Void> ended;

  /**
   * @param allowed true while writes are allowed; called on the sending thread, and must be quick
   */
  public FencedCluster(Cluster cluster, BooleanSupplier allowed) {
    super(cluster);
    this.allowed = allowed;
  }

  /** Refuses all further writes; completes when those in flight have been answered. */
  public CompletableFuture<@Nullable Void> drain() {
    CompletableFuture<@Nullable Void> end;
    boolean idle;
    synchronized (lock) {
      end = ended == null ? new CompletableFuture<>() : ended;
      ended = end;
      idle = underWay == 0;
    }
    if (idle) {
      end.complete(null);
    }
    return end;
  }

  /**
   * Sends writes that belong together: if {@link #drain} is called meanwhile, it lets them all
   * pass, and waits for them.
   *
   * @param writes sends them to the given cluster
   */
  public <T extends @Nullable Object> CompletableFuture<T> together(
      Function<Cluster, CompletableFuture<T>> writes) {
    return guarded(() -> writes.apply(new FencedCluster(cluster(), allowed)));
  }

  @Override
  protected <T extends @Nullable Object> CompletableFuture<T> send(
      ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
    return request.isWrite() ? guarded(sending) : sending.get();
  }

  private <T extends @Nullable Object> CompletableFuture<T> guarded(
      Supplier<CompletableFuture<T>> sending) {
    synchronized (lock) {
      if (ended != null || !allowed.getAsBoolean()) {
        return CompletableFuture.failedFuture(
            ClusterException.withheld("not sent, since this process may not write it any more"));
      }
      underWay++;
    }
    CompletableFuture<T> answer;
    try {
      answer = sending.get();
    } catch (RuntimeException fault) {
      onAnswer();
      throw fault;
    }
    return answer.whenComplete((_, _) -> onAnswer());
  }

  private void onAnswer() {
    CompletableFuture<@Nullable Void> over;
    synchronized (lock) {
      underWay--;
      over = underWay == 0 ? ended : null;
    }
    if (over != null) {
      over.complete(null);
    }
  }
}
