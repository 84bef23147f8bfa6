package dev.stint.reconcile.leader;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.EventLoop;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.ClusterRequests;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The requests of a candidate about its Lease. A claim or a read that is not answered in time
 * fails, so that another one can be sent. It may still take effect: the Lease then is no longer as
 * it was seen, and the next claim is outdated.
 */
final class LeaseLock {
  private final Cluster cluster;
  private final ObjectRef lease;
  private final EventLoop loop;
  private final Duration timeout;

  /**
   * @param timeout the time that a claim or a read has for its answer
   */
  LeaseLock(Cluster cluster, ObjectRef lease, EventLoop loop, Duration timeout) {
    this.cluster = cluster;
    this.lease = lease;
    this.loop = loop;
    this.timeout = timeout;
  }

  ObjectRef lease() {
    return lease;
  }

  /** Reads the Lease; null if there is none. */
  CompletableFuture<@Nullable KubeObject> read() {
    return inTime(ClusterRequests.find(cluster, lease));
  }

  /** Writes the record if nobody has changed the Lease since; creates it if there is none. */
  CompletableFuture<KubeObject> claim(@Nullable ObservedLease seen, LeaseRecord record) {
    return inTime(
        seen == null || seen.deleted() ? cluster.create(fresh(record)) : update(seen, record));
  }

  /**
   * True if a claim failed because the Lease is no longer as it was seen. A creation that finds
   * nothing lacks its namespace instead: to read the Lease again would change nothing.
   */
  static boolean isOutdated(@Nullable ObservedLease seen, Throwable failure) {
    boolean existed = seen != null && !seen.deleted();
    return ClusterRequests.hasReason(failure, Reason.CONFLICT)
        || ClusterRequests.hasReason(failure, Reason.ALREADY_EXISTS)
        || (existed && ClusterRequests.hasReason(failure, Reason.NOT_FOUND));
  }

  /** Writes the record if nobody has changed the Lease since. */
  CompletableFuture<KubeObject> update(ObservedLease seen, LeaseRecord record) {
    ObjectNode tree = seen.lease().copy();
    tree.set("spec", record.write(seen.lease().spec()));
    return cluster.update(KubeObject.of(tree));
  }

  private KubeObject fresh(LeaseRecord record) {
    ObjectNode tree = Json.object();
    tree.put("apiVersion", lease.kind().apiVersion()).put("kind", lease.kind().kind());
    tree.putObject("metadata").put("name", lease.name()).put("namespace", lease.namespace());
    tree.set("spec", record.write(null));
    return KubeObject.of(tree);
  }

  private <T extends @Nullable Object> CompletableFuture<T> inTime(CompletableFuture<T> request) {
    CompletableFuture<T> answer = request.copy();
    Runnable cancel = loop.after(timeout, () -> answer.completeExceptionally(late()));
    request.whenComplete((_, _) -> cancel.run());
    return answer;
  }

  private ClusterException late() {
    return new ClusterException(
        Reason.UNAVAILABLE, "no answer within " + timeout.toSeconds() + " s");
  }
}
