package dev.stint.cli.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.FarCluster;
import dev.stint.cli.Recorded;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.harness.PodBuilder;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.jobs.attempts.PodAttempts;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.ObjectNode;

@Timeout(60)
class ResumedLogsTest {
  private static final LogSource.View VIEW = LogSource.View.of(false, null, null);
  private static final ClusterException BROKEN =
      new ClusterException(ClusterException.Reason.UNAVAILABLE, "the log stream broke");

  @TempDir private Path directory;
  private final Recorded recorded = Recorded.plain();
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final CompletableFuture<Boolean> end = new CompletableFuture<>();

  private static final Stream NOTHING_NEW = new Stream("", null, false);

  /** The streams to come, and what was asked for. */
  private final Deque<Stream> streams = new ArrayDeque<>();

  private final List<String> requests = new ArrayList<>();
  private Runnable duringPause = () -> {};

  /** A stream: its text, and the fault that ends it; null for its usual end. */
  private record Stream(String text, @Nullable ClusterException fault, boolean isEndOfAttempt) {}

  private ResumedLogs logs(Cluster cluster) {
    LogSource source =
        (_, latest, view, _, out) -> {
          Instant since = view.since();
          requests.add((latest ? "latest" : "previous") + (since == null ? "" : " since " + since));
          Stream stream = streams.isEmpty() ? NOTHING_NEW : streams.remove();
          out.write(stream.text().getBytes(UTF_8));
          if (stream.isEndOfAttempt()) {
            end.complete(true);
          }
          if (stream.fault() != null) {
            throw stream.fault();
          }
        };
    FollowedLogs.JobLocation place =
        new FollowedLogs.JobLocation(
            () -> cluster,
            "default",
            (_, task) -> {
              duringPause.run();
              task.run();
              return () -> {};
            },
            () -> new Random(1));
    return new ResumedLogs(source, place, recorded.console());
  }

  private static ContainerAttemptView started(FarCluster far, int restarts) throws Exception {
    KubeObject job = far.get(far.create("job", 1, 1, ""));
    KubeObject pod = far.cluster().create(PodBuilder.of(job, "job-0").index(0).build()).get();
    ContainerAttemptView first = PodAttempts.of(patch(far, pod, 0)).getFirst();
    if (restarts > 0) {
      patch(far, pod, restarts);
    }
    return first;
  }

  private static KubeObject patch(FarCluster far, KubeObject pod, int restarts) throws Exception {
    String status =
        "{'phase':'Running','containerStatuses':[{'name':'main','image':'x','imageID':'',"
            + "'ready':true,'restartCount':%d,'state':{'running':{"
            + "'startedAt':'2026-01-01T00:00:00Z'}}}]}";
    ObjectNode patch = Json.object();
    patch.set("status", Json.parse(status.formatted(restarts).replace('\'', '"')));
    return far.cluster().patchStatus(pod.ref(), patch).get();
  }

  private void copy(Cluster cluster, ContainerAttemptView attempt) throws Exception {
    logs(cluster).copy(attempt, true, VIEW, end, printed::writeBytes);
  }

  @Test
  void aStreamThatBreaksIsReadOnFromItsLastLine() throws Exception {
    streams.add(new Stream("2026-01-01T00:00:01Z a\n2026-01-01T00:00:02Z b", BROKEN, false));
    streams.add(new Stream("", BROKEN, false));
    String rest = "2026-01-01T00:00:01Z a\n2026-01-01T00:00:02Z bc\n2026-01-01T00:00:03Z d\n";
    streams.add(new Stream(rest, null, true));
    try (FarCluster far = new FarCluster(directory, null, 1000)) {
      copy(far.cluster(), started(far, 0));
    }
    assertThat(printed.toString(UTF_8)).isEqualTo("a\nbc\nd\n");
    String on = "latest since 2026-01-01T00:00:01Z";
    assertThat(requests).containsExactly("latest", on, on, on);
    assertThat(recorded.err())
        .containsExactly("stint: the log stream broke; reading on when the cluster answers");
  }

  @Test
  void aStreamThatEndsBeforeItsAttemptIsReadOn() throws Exception {
    streams.add(new Stream("2026-01-01T00:00:01Z a\n", null, false));
    streams.add(new Stream("2026-01-01T00:00:01Z a\n2026-01-01T00:00:02Z b\n", null, true));
    try (FarCluster far = new FarCluster(directory, null, 1000)) {
      copy(far.cluster(), started(far, 0));
    }
    assertThat(printed.toString(UTF_8)).isEqualTo("a\nb\n");
    assertThat(recorded.err()).isEmpty();
  }

  /** The API or the kubelet restarts, and the pod ends soon after. */
  @Test
  void whatAnAttemptWritesBetweenTheEndOfItsStreamAndItsOwnIsReadToo() throws Exception {
    streams.add(new Stream("2026-01-01T00:00:01Z a\n", null, false));
    streams.add(new Stream("2026-01-01T00:00:01Z a\n2026-01-01T00:00:02Z b\n", null, false));
    duringPause = () -> end.complete(true);
    try (FarCluster far = new FarCluster(directory, null, 1000)) {
      copy(far.cluster(), started(far, 0));
    }
    assertThat(printed.toString(UTF_8)).isEqualTo("a\nb\n");
    assertThat(requests).containsExactly("latest", "latest since 2026-01-01T00:00:01Z");
  }

  @ParameterizedTest
  @EnumSource(names = {"NOT_FOUND", "BAD_REQUEST", "INTERNAL"})
  void aLogThatWentWithItsPodAfterItsStreamEndedIsWhole(ClusterException.Reason reason)
      throws Exception {
    streams.add(new Stream("2026-01-01T00:00:01Z a\n", null, true));
    streams.add(new Stream("", BROKEN, false));
    streams.add(new Stream("", new ClusterException(reason, "no pod"), false));
    try (FarCluster far = new FarCluster(directory, null, 1000)) {
      copy(far.cluster(), started(far, 0));
    }
    assertThat(printed.toString(UTF_8)).isEqualTo("a\n");
    assertThat(recorded.err()).hasSize(1);
  }

  @Test
  void aLogThatWentWithItsPodAfterItsStreamBrokeIsIncomplete() throws Exception {
    ClusterException gone = new ClusterException(ClusterException.Reason.NOT_FOUND, "no pod");
    streams.add(new Stream("2026-01-01T00:00:01Z a\n", BROKEN, true));
    streams.add(new Stream("", gone, false));
    try (FarCluster far = new FarCluster(directory, null, 1000)) {
      ContainerAttemptView attempt = started(far, 0);
      assertThatThrownBy(() -> copy(far.cluster(), attempt)).isSameAs(gone);
    }
  }

  @Test
  void aContainerThatStartedAgainMeanwhileIsNotTakenForTheAttempt() throws Exception {
    streams.add(new Stream("2026-01-01T00:00:01Z a\n", BROKEN, false));
    streams.add(new Stream("2026-01-01T00:00:01Z a\n2026-01-01T00:00:02Z b\n", null, true));
    try (FarCluster far = new FarCluster(directory, null, 1000)) {
      copy(far.cluster(), started(far, 1));
    }
    String previous = "previous since 2026-01-01T00:00:01Z";
    assertThat(requests).containsExactly("latest", previous, previous);
  }

  @Test
  void theLogOfAnotherRunIsNeverTakenForThatOfOneWhoseLogIsGone() throws Exception {
    streams.add(new Stream("2026-01-01T00:00:01Z a\n", BROKEN, false));
    try (FarCluster far = new FarCluster(directory, null, 1000)) {
      ContainerAttemptView attempt = started(far, 2);
      assertThatThrownBy(() -> copy(far.cluster(), attempt)).hasMessageContaining("is gone");
    }
    assertThat(requests).containsExactly("latest");
  }

  @Test
  void aClusterThatIsSilentForAPodsStateIsWaitedForToo() throws Exception {
    streams.add(new Stream("2026-01-01T00:00:01Z a\n", BROKEN, false));
    streams.add(new Stream("2026-01-01T00:00:01Z a\n2026-01-01T00:00:02Z b\n", null, true));
    try (FarCluster far = new FarCluster(directory, null, 1000)) {
      Cluster silentOnce =
          new ForwardingCluster(far.cluster()) {
            private boolean wasSilent;

            @Override
            public CompletableFuture<KubeObject> get(ObjectRef ref) {
              boolean isSilent = !wasSilent;
              wasSilent = true;
              return isSilent ? CompletableFuture.failedFuture(BROKEN) : super.get(ref);
            }
          };
      copy(silentOnce, started(far, 0));
    }
    assertThat(printed.toString(UTF_8)).isEqualTo("a\nb\n");
  }

  @Test
  void anAttemptThatHasEndedIsAskedForAFewTimesMore() throws Exception {
    streams.add(new Stream("2026-01-01T00:00:01Z a\n", BROKEN, true));
    streams.addAll(Collections.nCopies(ResumedLogs.LAST_TRIES, new Stream("", BROKEN, false)));
    try (FarCluster far = new FarCluster(directory, null, 1000)) {
      ContainerAttemptView attempt = started(far, 0);
      assertThatThrownBy(() -> copy(far.cluster(), attempt)).isSameAs(BROKEN);
    }
    assertThat(requests).hasSize(1 + ResumedLogs.LAST_TRIES);
  }

  @Test
  void aRefusalIsNotRepeated() throws Exception {
    ClusterException refused =
        new ClusterException(ClusterException.Reason.FORBIDDEN, "may not read logs");
    streams.add(new Stream("", refused, false));
    try (FarCluster far = new FarCluster(directory, null, 1000)) {
      ContainerAttemptView attempt = started(far, 0);
      assertThatThrownBy(() -> copy(far.cluster(), attempt)).isSameAs(refused);
    }
  }
}
