package dev.stint.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.FarCluster;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterStateTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:10Z");

  @TempDir private Path directory = Path.of("");

  private static void lease(FarCluster far, String name, String holder) throws Exception {
    String text =
        "{'apiVersion':'coordination.k8s.io/v1','kind':'Lease','metadata':{'name':'%s','namespace':'kube-system'},'spec':{'holderIdentity':'%s','leaseDurationSeconds':15,'renewTime':'2026-01-01T00:00:00.000000Z'}}";
    far.cluster()
        .create(KubeObject.of(Json.parse(text.formatted(name, holder).replace('\'', '"'))))
        .get();
  }

  @Test
  void saysWhichReplicaHasWhichShardsOfACluster() throws Exception {
    try (FarCluster far = new FarCluster(directory, null, 100)) {
      lease(far, "jobs", "replicas-with-2-shards");
      lease(far, "jobs-replica-1", "host_1");
      lease(far, "jobs-shard-0", "host_1");
      List<Finding> findings = ClusterState.of(far.kubeconfig(), null, () -> NOW);
      assertThat(findings)
          .extracting(Finding::subject)
          .containsExactly(
              "cluster", "shards of kube-system/jobs", "replica host_1", "shard 1 of jobs");
      assertThat(findings.getFirst().found()).matches("Kubernetes v1\\..* at https://.*");

      String elsewhere =
          Files.readString(far.kubeconfig())
              .replaceFirst("https://127.0.0.1:\\d+", "https://127.0.0.1:1");
      Path silent = Files.writeString(directory.resolve("silent"), elsewhere);
      assertThat(ClusterState.of(silent, null, () -> NOW))
          .singleElement()
          .satisfies(only -> {
            assertThat(only.isFault()).isFalse();
            assertThat(only.found()).contains("does not answer");
          });
    }
  }
}
