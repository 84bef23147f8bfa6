package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.embedded.ControllerName;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

class BenchCommandTest {
  @TempDir Path directory;

  @Test
  void anotherClusterIsMeasuredOverHttpAndCleanedUp() throws Exception {
    try (FarCluster cluster = new FarCluster(directory, null, 10_000)) {
      cluster.plane.start(Set.of(ControllerName.JOB, ControllerName.GC), null).get();
      Recorded bench = Recorded.plain();
      int status =
          bench.run(
              "bench",
              "--completions=20",
              "--parallelism=6",
              "--kubeconfig=" + cluster.kubeconfig(),
              "-o=json");
      assertThat(status).as(bench.err().toString()).isZero();
      ObjectNode figures = Json.parse(String.join("\n", bench.out()));
      assertThat(figures.get("pods").intValue()).isEqualTo(20);
      assertThat(figures.get("podsPerSecond").doubleValue()).isPositive();
      assertThat(figures.get("finishToStatusMillis").get("p99").doubleValue()).isPositive();
      assertThat(figures.has("storeBytes")).isFalse();
      assertThat(cluster.indexes()).hasSize(20).doesNotHaveDuplicates();
      assertThat(cluster.created).allMatch(pod -> text(pod).startsWith("bench-"));
      cluster.until("its pods are gone", () -> cluster.pods().isEmpty());
      assertThat(cluster.cluster().list(Kind.JOB, null).join().items()).isEmpty();
      assertThat(cluster.cluster().list(Kind.NODE, null).join().items()).isEmpty();
    }
  }

  @Test
  void aSignalEndsItAndItsNodeAndJobsAreDeleted() throws Exception {
    try (FarCluster cluster = new FarCluster(directory, null, 10_000)) {
      cluster.plane.start(Set.of(ControllerName.JOB, ControllerName.GC), null).get();
      Recorded bench = Recorded.plain();
      CompletableFuture<Integer> status = new CompletableFuture<>();
      Thread.ofPlatform()
          .start(() ->
              status.complete(
                  bench.run(
                      "bench",
                      "--completions=100000",
                      "--parallelism=5",
                      "--kubeconfig=" + cluster.kubeconfig())));
      cluster.until("it runs", () -> !cluster.created.isEmpty());
      bench.raise("INT");
      assertThat(status.get(1, TimeUnit.MINUTES)).as(bench.errText()).isEqualTo(130);
      assertThat(bench.out()).isEmpty();
      assertThat(bench.err()).isEmpty();
      assertThat(cluster.cluster().list(Kind.JOB, null).join().items()).isEmpty();
      assertThat(cluster.cluster().list(Kind.NODE, null).join().items()).isEmpty();
      cluster.until("its pods are gone, too", () -> cluster.pods().isEmpty());
    }
  }

  @Test
  void invalidFlagsAreRefusedInOneLine() throws Exception {
    Path odd = Files.writeString(directory.resolve("kubeconfig"), "clusters: []\n");
    assertThat(refusal("--data=" + directory, "--kubeconfig=" + odd))
        .contains("--data and --kubeconfig cannot be combined");
    assertThat(refusal("--context=a")).contains("--context requires --kubeconfig FILE");
    assertThat(refusal("--managed-by=a")).contains("--managed-by requires --kubeconfig FILE");
    assertThat(refusal("--kubeconfig=" + odd)).startsWith("stint: --kubeconfig ");
    assertThat(refusal("--runtime=none")).contains("use simulated or process");
  }

  private static String text(KubeObject pod) {
    return String.valueOf(Json.text(pod.spec(), "nodeName"));
  }

  private static String refusal(String... flags) {
    Recorded bench = Recorded.plain();
    List<String> args = new java.util.ArrayList<>(List.of(flags));
    args.addFirst("bench");
    assertThat(bench.run(args.toArray(String[]::new))).isEqualTo(2);
    assertThat(bench.err()).hasSize(1);
    return bench.err().getFirst();
  }
}
