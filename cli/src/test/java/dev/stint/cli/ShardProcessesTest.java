package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.embedded.ThreadTimers;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobStatus;
import dev.stint.reconcile.leader.Sharding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * {@code stint controller --shards} as three processes, over HTTPS. Each has an account of its own,
 * by which the API tells who wrote.
 *
 * <p>It runs with {@code -Dprocesses} only, as before a tag: it takes too long for each build. The
 * shards of a dead replica are free when their Leases expire, which takes six seconds of real time.
 * On a busy machine Leases are also lost in between; that changes which replica has which Job, and
 * no more.
 */
@EnabledIfSystemProperty(named = "processes", matches = ".*")
@Execution(ExecutionMode.CONCURRENT)
class ShardProcessesTest {
  private static final int JOBS = 8;
  private static final int COMPLETIONS = 4;
  private static final int SHARDS = 6;
  private static final String SHARD = "stint-built-in-shard-";

  @TempDir private Path directory;
  private FarCluster far;

  /** The processes by the credentials that they send. */
  private final Map<String, StintProcess> replicas = new HashMap<>();

  @BeforeEach
  void start() throws Exception {
    far = new FarCluster(directory, null, 10_000);
    far.cluster()
        .create(
            object(
                "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'ClusterRoleBinding',"
                    + "'metadata':{'name':'replicas'},'roleRef':{'apiGroup':"
                    + "'rbac.authorization.k8s.io','kind':'ClusterRole','name':'cluster-admin'},"
                    + "'subjects':[{'apiGroup':'rbac.authorization.k8s.io','kind':'Group',"
                    + "'name':'system:serviceaccounts'}]}"))
        .get();
  }

  @AfterEach
  void stop() throws Exception {
    for (StintProcess replica : replicas.values()) {
      replica.kill();
    }
    far.close();
  }

  private static KubeObject object(String text) {
    return KubeObject.of(Json.parse(text.replace('\'', '"')));
  }

  private void startReplica(String name) throws Exception {
    Path files = Files.createDirectory(directory.resolve(name));
    try (ThreadTimers timers = new ThreadTimers()) {
      far.inPod(new ObjectRef(Kind.SERVICE_ACCOUNT, "default", name), files, timers).close();
    }
    String token = Files.readString(files.resolve("token")).strip();
    String kubeconfig = Files.readString(far.kubeconfig()).replace(far.pki.adminToken(), token);
    Path own = Files.writeString(files.resolve("kubeconfig"), kubeconfig);
    StintProcess process =
        StintProcess.start(
            directory,
            "controller",
            "--kubeconfig",
            own.toString(),
            "--claim",
            "built-in",
            "--shards",
            Integer.toString(SHARDS),
            "--leader-elect-lease-duration",
            "6s",
            "--leader-elect-renew-deadline",
            "4s",
            "--leader-elect-retry-period",
            "500ms");
    replicas.put("Bearer " + token, process);
  }

  /** Returns the replicas that have shards, if each shard has one. */
  private Set<String> owners() {
    List<String> holders =
        far.cluster().list(Kind.LEASE, "kube-system").join().items().stream()
            .filter(lease -> lease.name().startsWith(SHARD))
            .map(lease -> String.valueOf(Json.text(lease.spec(), "holderIdentity")))
            .filter(holder -> !holder.isEmpty())
            .toList();
    return holders.size() == SHARDS ? Set.copyOf(holders) : Set.of();
  }

  /** Returns how often the Lease of a Job's shard has changed its holder. */
  private int transitions(ObjectRef job) {
    int shard = new Sharding(SHARDS).shardOf(far.get(job).uid());
    KubeObject lease = far.get(new ObjectRef(Kind.LEASE, "kube-system", SHARD + shard));
    return Objects.requireNonNull(Json.integer(lease.spec(), "leaseTransitions"));
  }

  /** Returns the replicas that wrote the status of a Job, in turn. */
  private List<String> writers(ObjectRef job) {
    List<String> turns = new ArrayList<>();
    for (String writer :
        far.writers("/apis/batch/v1/namespaces/default/jobs/" + job.name() + "/status")) {
      if (turns.isEmpty() || !turns.getLast().equals(writer)) {
        turns.add(writer);
      }
    }
    return turns;
  }

  @Test
  void theSharesOfAKilledReplicaAreTakenOverAndNoJobIsDecidedByTwo() throws Exception {
    for (String name : List.of("a", "b", "c")) {
      startReplica(name);
    }
    far.until("each has a share", () -> owners().size() == 3);
    List<ObjectRef> jobs = new ArrayList<>();
    for (int i = 0; i < JOBS; i++) {
      jobs.add(far.create("job" + i, COMPLETIONS, 2, ""));
    }
    far.until(
        "all have begun",
        () ->
            jobs.stream()
                .allMatch(job -> far.status(job).active() == 2 && !writers(job).isEmpty()));
    String killed = writers(jobs.getFirst()).getLast();
    Objects.requireNonNull(replicas.get(killed)).kill();
    far.until(
        "all end",
        () -> {
          far.succeed(JOBS);
          return jobs.stream().allMatch(job -> far.status(job).isTrue("Complete"));
        });

    far.until("two replicas have all shards", () -> owners().size() == 2);
    for (ObjectRef job : jobs) {
      far.until(job + " is taken over", () -> !writers(job).getLast().equals(killed));
      assertThat(writers(job).size() - 1)
          .as("the writer of %s changes only with the holder of its Lease", job)
          .isLessThanOrEqualTo(transitions(job));
      JobStatus status = far.status(job);
      assertThat(status.succeeded()).isEqualTo(COMPLETIONS);
      assertThat(status.failed()).isZero();
    }
    assertThat(far.created).hasSize(JOBS * COMPLETIONS);
    assertThat(far.pods()).allMatch(pod -> pod.finalizers().isEmpty());
  }
}
