package dev.stint.cli.serve;

import dev.stint.cli.output.UserException;
import dev.stint.cluster.Cluster;
import dev.stint.controllers.mirror.MirrorWorker;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Refuses a manager that is its own worker, and a worker with two names. */
final class DistinctClusters {
  private static final String MANAGER = "--manager-kubeconfig";

  /** The time for an answer. A cluster that takes longer is not compared. */
  private static final long ANSWER_TIMEOUT_SECONDS = 5;

  private DistinctClusters() {}

  /**
   * Asks all clusters which ones they are, at once.
   *
   * @throws UserException if two of them are the same
   */
  static void check(Cluster manager, List<MirrorWorker> workers) {
    Map<String, CompletableFuture<@Nullable String>> asked = new LinkedHashMap<>();
    asked.put(MANAGER, identity(manager));
    workers.forEach(worker -> asked.put(flag(worker.name()), identity(worker.cluster())));
    Map<String, String> flags = new HashMap<>();
    asked.forEach((flag, answer) -> {
      String uid = answer.join();
      String other = uid == null ? null : flags.putIfAbsent(uid, flag);
      if (other != null) {
        throw new UserException(
            "%s and %s are the same cluster; name each cluster once".formatted(other, flag));
      }
    });
  }

  private static String flag(@Nullable String worker) {
    return worker == null ? "--worker-kubeconfig" : "--worker " + worker;
  }

  /** Returns the identity of a cluster; null if it does not say. */
  private static CompletableFuture<@Nullable String> identity(Cluster cluster) {
    return MirrorWorker.identity(cluster)
        .orTimeout(ANSWER_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .<@Nullable String>thenApply(Objects::requireNonNull)
        .exceptionally(_ -> null);
  }
}
