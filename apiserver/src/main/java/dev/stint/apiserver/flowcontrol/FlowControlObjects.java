package dev.stint.apiserver.flowcontrol;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Carries out {@link FlowControlPlan}s. */
public final class FlowControlObjects {
  /** The refusals of writes that somebody else's write has overtaken. */
  private static final Set<Reason> OVERTAKEN =
      EnumSet.of(Reason.CONFLICT, Reason.ALREADY_EXISTS, Reason.NOT_FOUND);

  private FlowControlObjects() {}

  /** Creates the built-in objects that are missing, and corrects the others. */
  public static CompletableFuture<@Nullable Void> createMissing(Cluster cluster) {
    return carryOut(cluster, FlowControlPlan::ofBuiltIn);
  }

  /** Corrects the built-in objects, and the status of all flow schemas. */
  public static CompletableFuture<@Nullable Void> maintain(Cluster cluster, Instant now) {
    return carryOut(cluster, all -> FlowControlPlan.of(all, now));
  }

  private static CompletableFuture<@Nullable Void> carryOut(
      Cluster cluster, Function<List<KubeObject>, FlowControlPlan> plan) {
    return cluster
        .list(Kind.PRIORITY_LEVEL, null)
        .thenCombine(
            cluster.list(Kind.FLOW_SCHEMA, null),
            (levels, schemas) -> {
              List<KubeObject> all = new ArrayList<>(levels.items());
              all.addAll(schemas.items());
              return plan.apply(all);
            })
        .thenCompose(decided -> write(cluster, decided));
  }

  /** Makes all writes at once; what others have changed meanwhile is for the next round. */
  private static CompletableFuture<@Nullable Void> write(Cluster cluster, FlowControlPlan plan) {
    List<CompletableFuture<?>> writes = new ArrayList<>();
    plan.created().forEach(object -> writes.add(cluster.create(object)));
    plan.updated().forEach(object -> writes.add(cluster.update(object)));
    plan.deleted()
        .forEach(
            object -> writes.add(cluster.delete(object.ref(), DeleteOptions.now(object.uid()))));
    plan.statuses()
        .forEach((schema, patch) -> writes.add(cluster.patchStatus(schema.ref(), patch)));
    return CompletableFuture.allOf(
        writes.stream()
            .map(FlowControlObjects::unlessOvertaken)
            .toArray(CompletableFuture<?>[]::new));
  }

  private static CompletableFuture<?> unlessOvertaken(CompletableFuture<?> write) {
    return write
        .<@Nullable Void>thenApply(_ -> null)
        .exceptionallyCompose(failure ->
            ClusterException.causeOf(failure) instanceof ClusterException refusal
                    && OVERTAKEN.contains(refusal.reason())
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.failedFuture(failure));
  }
}
