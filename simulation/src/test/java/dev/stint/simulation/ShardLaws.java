package dev.stint.simulation;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.ClusterRequest.Verb;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.leader.Sharding;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * No Job is decided by two: each write about a Job reaches the API while the stored Lease of its
 * shard names the sender, and while the number of shards that the sender knows is in force. And
 * nobody creates a pod that another replica has created: it has read what its predecessor did.
 */
final class ShardLaws {
  private final ObjectRef lease;
  private final Map<String, String> holders = new TreeMap<>();
  private final Map<String, String> jobOfPod = new HashMap<>();
  private final Map<String, String> creators = new HashMap<>();
  private @Nullable AssertionError broken;

  /** The number of writes about Jobs. */
  int writes;

  /** The number of times that a shard got a holder. */
  int taken;

  ShardLaws(ObjectRef lease) {
    this.lease = lease;
  }

  /** Throws the violation that was found, if there is one. */
  void hold() {
    if (broken != null) {
      throw broken;
    }
  }

  /** Returns the holder of a shard; empty for none. */
  String holder(int shard) {
    return holders.getOrDefault(lease.name() + "-shard-" + shard, "");
  }

  /** Returns the same API for a replica, with all that it asks checked on arrival. */
  Cluster of(Cluster api, String replica, Sharding sharding) {
    return new ForwardingCluster(api) {
      @Override
      protected <T extends @Nullable Object> CompletableFuture<T> send(
          ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
        if (request.isWrite()) {
          onWrite(request, replica, sharding);
        }
        return sending
            .get()
            .whenComplete((answer, failure) -> {
              if (request.isWrite() && failure == null) {
                onWritten(request, answer, replica);
              }
            });
      }
    };
  }

  private void onWrite(ClusterRequest request, String replica, Sharding sharding) {
    Kind kind = request.ref().kind();
    if (kind.equals(Kind.LEASE) || kind.equals(Kind.EVENT)) {
      return;
    }
    String job = job(request);
    if (job == null) {
      return;
    }
    writes++;
    String shard = holder(sharding.shardOf(job));
    String configuration = holders.getOrDefault(lease.name(), "");
    if (!shard.startsWith(replica + "_")) {
      fail("a replica writes what is not its own", request, replica + ", not " + shard);
    } else if (!configuration.equals(configuration(sharding))) {
      fail("a replica writes with another number of shards", request, configuration);
    }
    String creator = creators.get(request.ref().name());
    if (request.verb() == Verb.CREATE && creator != null && !creator.equals(replica)) {
      fail("a replica creates a pod that another has created", request, replica);
    }
  }

  /** Returns the holder of the Lease that all replicas with this number of shards share. */
  private static String configuration(Sharding sharding) {
    return "replicas-with-" + sharding.count() + "-shards";
  }

  private void fail(String what, ClusterRequest request, String who) {
    if (broken == null) {
      broken = new AssertionError(what + "\n" + who + ": " + request);
    }
  }

  /** Returns the uid of the Job that a write is about; null if that is not known. */
  private @Nullable String job(ClusterRequest request) {
    if (request.ref().kind().equals(Kind.JOB)) {
      return Json.text(Json.objectAt(Objects.requireNonNull(request.body()), "metadata"), "uid");
    }
    return request.verb() == Verb.CREATE
        ? KubeObject.of(Objects.requireNonNull(request.body())).controllerUid()
        : jobOfPod.get(request.ref().name());
  }

  private void onWritten(ClusterRequest request, @Nullable Object answer, String replica) {
    String name = request.ref().name();
    if (request.ref().kind().equals(Kind.LEASE)) {
      String before = holders.getOrDefault(name, "");
      String now =
          answer instanceof KubeObject written
              ? Objects.requireNonNullElse(Json.text(written.spec(), "holderIdentity"), "")
              : "";
      holders.put(name, now);
      taken += name.contains("-shard-") && !now.isEmpty() && !now.equals(before) ? 1 : 0;
    } else if (request.ref().kind().equals(Kind.POD) && answer instanceof KubeObject pod) {
      if (request.verb() == Verb.CREATE) {
        creators.put(name, replica);
        jobOfPod.put(name, Objects.requireNonNullElse(pod.controllerUid(), ""));
      }
    }
  }
}
