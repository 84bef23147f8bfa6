package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.plane.MetricsServing;
import dev.stint.cli.serve.MirrorCommand;
import dev.stint.cluster.Cluster;
import dev.stint.controllers.metrics.MirrorMetrics;
import dev.stint.controllers.mirror.AssignmentOptions;
import dev.stint.controllers.mirror.MirrorWorker;
import dev.stint.embedded.RemoteMirror;
import dev.stint.embedded.ThreadTimers;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.reconcile.RetryingCluster;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code stint mirror} keeps to the request limits of its flags. */
class MirrorRequestsTest {
  private static final int JOBS = 8;

  @TempDir private Path directory;

  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final CompletableFuture<@Nullable Void> answered = new CompletableFuture<>();

  private static RetryingCluster.Options requests(String... flags) {
    CommandLine all = new StintCommand(Recorded.plain().console()).all();
    CommandLine mirror = Objects.requireNonNull(all.getSubcommands().get("mirror"));
    List<String> words =
        new ArrayList<>(List.of("mirror", "--manager-kubeconfig", "a", "--worker-kubeconfig", "b"));
    words.addAll(List.of(flags));
    all.parseArgs(words.toArray(String[]::new));
    return ((MirrorCommand) mirror.getCommand()).options(new MetricsServing(null)).requests();
  }

  @Test
  void theFlagsSetTheLimitsOfRequests() {
    RetryingCluster.Options options =
        requests("--kube-api-qps", "7", "--kube-api-burst", "9", "--kube-api-concurrency", "3");
    assertThat(options.perSecond()).isEqualTo(7);
    assertThat(options.burst()).isEqualTo(9);
    assertThat(options.mostAtOnce()).isEqualTo(3);
    assertThat(requests()).isEqualTo(RetryingCluster.Options.DEFAULT);
  }

  @Test
  void noMoreRequestsAreUnderWayThanTheFlagsAllow() throws Exception {
    Path managers = Files.createDirectory(directory.resolve("manager"));
    Path workers = Files.createDirectory(directory.resolve("worker"));
    try (FarCluster manager = new FarCluster(managers, null, 10_000);
        FarCluster worker = new FarCluster(workers, null, 10_000);
        ThreadTimers timers = new ThreadTimers()) {
      for (int i = 0; i < JOBS; i++) {
        manager.create("j" + i, 1, 1, "'managedBy':'stint.dev/mirror'");
      }
      RemoteMirror mirror =
          new RemoteMirror(
              manager.cluster(),
              List.of(MirrorWorker.only(slow(worker.cluster()))),
              timers,
              new RemoteMirror.Options(
                  "stint.dev/mirror",
                  null,
                  AssignmentOptions.DEFAULT,
                  requests("--kube-api-concurrency", "3"),
                  MirrorMetrics.NONE));
      mirror.start();
      worker.until("three creations are under way", () -> underWay.get() == 3);
      answered.complete(null);
      worker.until(
          "all Jobs have copies",
          () -> worker.cluster().list(Kind.JOB, null).get().items().size() == JOBS);
      mirror.close();
    }
    assertThat(most).hasValue(3);
  }

  /** A cluster that answers creations late. */
  private Cluster slow(Cluster cluster) {
    return (Cluster)
        Proxy.newProxyInstance(
            Cluster.class.getClassLoader(),
            new Class<?>[] {Cluster.class},
            (_, method, arguments) -> {
              try {
                Object answer = method.invoke(cluster, arguments);
                return method.getName().equals("create")
                    ? answeredLater((CompletableFuture<?>) answer)
                    : answer;
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
            });
  }

  private CompletableFuture<KubeObject> answeredLater(CompletableFuture<?> creation) {
    most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
    return creation.thenCombine(
        answered,
        (created, _) -> {
          underWay.decrementAndGet();
          return (KubeObject) created;
        });
  }
}
