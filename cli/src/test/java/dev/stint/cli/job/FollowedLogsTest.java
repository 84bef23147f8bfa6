package dev.stint.cli.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.FarCluster;
import dev.stint.cli.Recorded;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchHandler;
import dev.stint.harness.FakeCluster;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

class FollowedLogsTest {
  private static final String RUNNING =
      "{'phase':'Running','containerStatuses':[{'name':'main','image':'x','imageID':'',"
          + "'ready':true,'restartCount':0,'state':{'running':{"
          + "'startedAt':'2026-01-01T00:00:00Z'}}}]}";

  @TempDir private Path directory;

  /** A cluster whose watch of pods is behind: it tells of none. */
  private static final class Behind extends ForwardingCluster {
    Behind(Cluster cluster) {
      super(cluster);
    }

    @Override
    public CompletableFuture<String> list(
        Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
      return kind.equals(Kind.POD)
          ? cluster()
              .list(kind, namespace)
              .thenCompose(all -> {
                ObjectList none = new ObjectList(List.of(), all.resourceVersion());
                return each.apply(none).thenApply(_ -> all.resourceVersion());
              })
          : super.list(kind, namespace, each);
    }

    @Override
    public Watch watch(
        Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
      return cluster().watch(kind, namespace, afterRevision, handler);
    }
  }

  /** Returns logs whose only timer that fires is the one of a Job that is left. */
  private static FollowedLogs logs(Recorded recorded, Cluster cluster, LogSource source) {
    return FollowedLogs.ofAll(
        recorded.console(),
        new FollowedLogs.JobLocation(
            () -> cluster,
            "default",
            (delay, task) -> {
              if (delay.equals(FollowedLogs.LEAVE)) {
                task.run();
              }
              return () -> {};
            },
            () -> new Random(1)),
        source,
        "");
  }

  @Test
  void podsOfWhichTheWatchHasNotToldAreReadAtTheEndOfTheJob() throws Exception {
    try (FarCluster far = new FarCluster(directory, null, 1000)) {
      ObjectRef job = far.create("quick", 1, 1, "");
      KubeObject pod =
          far.cluster().create(PodBuilder.of(far.get(job), "quick-0").index(0).build()).get();
      patch(
          far,
          pod.ref(),
          "{'phase':'Succeeded','containerStatuses':[{'name':'main','image':'x','imageID':'',"
              + "'ready':false,'restartCount':0,'state':{'terminated':{'exitCode':0,"
              + "'startedAt':'2026-01-01T00:00:00Z','finishedAt':'2026-01-01T00:00:01Z'}}}]}");
      patch(
          far,
          job,
          "{'startTime':'2026-01-01T00:00:00Z','completionTime':'2026-01-01T00:00:01Z',"
              + "'succeeded':1,'completedIndexes':'0','conditions':["
              + "{'type':'SuccessCriteriaMet','status':'True'},{'type':'Complete','status':'True'}]}");
      Recorded recorded = Recorded.plain();
      LogSource source =
          (_, _, _, _, out) -> {
            out.write("done\n".getBytes(StandardCharsets.UTF_8));
            out.finish();
          };
      logs(recorded, new Behind(far.cluster()), source).follow("quick", List.of());
      assertThat(recorded.out()).containsExactly("[0 #1] done");
    }
  }

  @Test
  void aJobThatIsLeftEndsTheLogsOfPodsThatGoOn() throws Exception {
    try (FarCluster far = new FarCluster(directory, null, 1000)) {
      ObjectRef job = far.create("left", 1, 1, "");
      KubeObject pod =
          far.cluster().create(PodBuilder.of(far.get(job), "left-0").index(0).build()).get();
      patch(far, pod.ref(), RUNNING);
      Recorded recorded = Recorded.plain();
      CountDownLatch reads = new CountDownLatch(1);
      FollowedLogs logs =
          logs(
              recorded,
              far.cluster(),
              (_, _, _, _, out) -> {
                out.write("begun\n".getBytes(StandardCharsets.UTF_8));
                reads.countDown();
                ApiCalls.await(new CompletableFuture<>());
              });
      CompletableFuture<?> followed = follow(logs, "left");
      reads.await();
      logs.leave();
      followed.get(1, TimeUnit.MINUTES);
      assertThat(recorded.out()).containsExactly("[0 #1] begun");
      assertThat(recorded.err()).isEmpty();
      assertThat(logs.isIncomplete()).isFalse();
    }
  }

  @Test
  void aBrokenStreamMayEndAllForACallerThatGoesOn() throws Exception {
    try (FarCluster far = new FarCluster(directory, null, 1000)) {
      ObjectRef job = far.create("long", 1, 1, "");
      KubeObject pod =
          far.cluster().create(PodBuilder.of(far.get(job), "long-0").index(0).build()).get();
      patch(far, pod.ref(), RUNNING);
      ClusterException broken =
          new ClusterException(ClusterException.Reason.UNAVAILABLE, "the log stream broke");
      FollowedLogs logs =
          logs(
              Recorded.plain(),
              far.cluster(),
              (_, _, _, _, _) -> {
                throw broken;
              });
      logs.endWhenBroken();
      assertThatThrownBy(() -> logs.follow("long", List.of())).isSameAs(broken);
    }
  }

  @Test
  void aJobThatIsDeletedBeforeTheFirstListEndsTheLogs() throws Exception {
    FakeCluster cluster = new FakeCluster(Runnable::run, InstantSource.system());
    KubeObject job = cluster.add(JobBuilder.named("short"));
    cluster.before(request -> {
      if (request.line().startsWith("list pods") && cluster.peek(job.ref()) != null) {
        cluster.erase(job.ref());
      }
    });
    Recorded recorded = Recorded.plain();
    FollowedLogs logs = logs(recorded, cluster, (_, _, _, _, _) -> {});
    follow(logs, "short").get(1, TimeUnit.MINUTES);
    assertThat(recorded.err()).isEmpty();
  }

  @Test
  void theLogsOfAFinishedJobEnd() throws Exception {
    FakeCluster cluster = new FakeCluster(Runnable::run, InstantSource.system());
    cluster.add(JobBuilder.named("over").condition("Complete", "", "", Instant.EPOCH));
    FollowedLogs logs = logs(Recorded.plain(), cluster, (_, _, _, _, _) -> {});
    follow(logs, "over").get(1, TimeUnit.MINUTES);
  }

  private static CompletableFuture<?> follow(FollowedLogs logs, String job) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            logs.follow(job, List.of());
          } catch (IOException | InterruptedException fault) {
            throw new CompletionException(fault);
          }
        },
        Thread::startVirtualThread);
  }

  private static void patch(FarCluster far, ObjectRef ref, String status) throws Exception {
    ObjectNode patch = Json.object();
    patch.set("status", Json.parse(status.replace('\'', '"')));
    far.cluster().patchStatus(ref, patch).get();
  }
}
