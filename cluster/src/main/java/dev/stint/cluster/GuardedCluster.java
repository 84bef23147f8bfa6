package dev.stint.cluster;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A cluster that writes only as long as that is allowed, which is asked right before each write is
 * sent: whoever has lost the right to write does no harm with what was decided before. Reads are
 * always answered.
 *
 * <p>What is refused fails with {@code FORBIDDEN} and {@link ClusterException#isWithheld}, and has
 * not been sent.
 */
public final class GuardedCluster implements Cluster {
  private final Cluster cluster;
  private final BooleanSupplier allowed;
  private final Object lock = new Object();
  private int underWay;
  private @Nullable CompletableFuture<@Nullable Void> ended;

  /**
   * @param allowed whether to write; asked on the thread that sends, and must be quick
   */
  public GuardedCluster(Cluster cluster, BooleanSupplier allowed) {
    this.cluster = cluster;
    this.allowed = allowed;
  }

  /** Refuses all further writes; completes when those under way have been answered. */
  public CompletableFuture<@Nullable Void> end() {
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

  @Override
  public CompletableFuture<KubeObject> get(ObjectRef ref) {
    return cluster.get(ref);
  }

  @Override
  public CompletableFuture<ObjectList> list(Kind kind, @Nullable String namespace) {
    return cluster.list(kind, namespace);
  }

  @Override
  public CompletableFuture<String> list(
      Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
    return cluster.list(kind, namespace, each);
  }

  @Override
  public Watch watch(
      Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
    return cluster.watch(kind, namespace, afterRevision, handler);
  }

  @Override
  public CompletableFuture<KubeObject> create(KubeObject object) {
    return write(() -> cluster.create(object));
  }

  @Override
  public CompletableFuture<KubeObject> update(KubeObject object) {
    return write(() -> cluster.update(object));
  }

  @Override
  public CompletableFuture<KubeObject> updateStatus(KubeObject object) {
    return write(() -> cluster.updateStatus(object));
  }

  @Override
  public CompletableFuture<KubeObject> patch(ObjectRef ref, ObjectNode mergePatch) {
    return write(() -> cluster.patch(ref, mergePatch));
  }

  @Override
  public CompletableFuture<KubeObject> patchStatus(ObjectRef ref, ObjectNode mergePatch) {
    return write(() -> cluster.patchStatus(ref, mergePatch));
  }

  @Override
  public CompletableFuture<KubeObject> updateFinalize(KubeObject namespace) {
    return write(() -> cluster.updateFinalize(namespace));
  }

  @Override
  public CompletableFuture<@Nullable Void> delete(ObjectRef ref, DeleteOptions options) {
    return write(() -> cluster.delete(ref, options));
  }

  private <T extends @Nullable Object> CompletableFuture<T> write(
      Supplier<CompletableFuture<T>> request) {
    synchronized (lock) {
      if (ended != null || !allowed.getAsBoolean()) {
        return CompletableFuture.failedFuture(
            ClusterException.withheld("not sent, as this process does not lead (any more)"));
      }
      underWay++;
    }
    CompletableFuture<T> answer;
    try {
      answer = request.get();
    } catch (RuntimeException fault) {
      answered();
      throw fault;
    }
    return answer.whenComplete((_, _) -> answered());
  }

  private void answered() {
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
