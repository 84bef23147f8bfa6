package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * {@code stint controller} as processes that start, stop, pause and die, over HTTPS.
 *
 * <p>It is slow because the successor of a dead or paused leader has to wait until the lease
 * expires, which takes three seconds of real time.
 */
@Execution(ExecutionMode.CONCURRENT)
class ControllerProcessesTest {
  private static final int COMPLETIONS = 40;
  private static final ObjectRef LEASE = new ObjectRef(Kind.LEASE, "kube-system", "stint-built-in");

  @TempDir private Path directory;
  private FarCluster far;
  private final List<StintProcess> processes = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    far = new FarCluster(directory, null, 10_000);
  }

  @AfterEach
  void stop() throws Exception {
    for (StintProcess process : processes) {
      process.kill();
    }
    far.close();
  }

  /** A candidate that takes over a dead leader's lease after this many seconds. */
  private StintProcess candidate(int leaseSeconds) throws Exception {
    StintProcess process =
        StintProcess.start(
            directory,
            "controller",
            "--kubeconfig",
            far.kubeconfig().toString(),
            "--claim",
            "built-in",
            "--leader-elect",
            "--leader-elect-lease-duration",
            leaseSeconds + "s",
            "--leader-elect-renew-deadline",
            leaseSeconds - 1 + "s",
            "--leader-elect-retry-period",
            "300ms");
    processes.add(process);
    return process;
  }

  private void untilItLeads(StintProcess process, int times) {
    far.until("it leads", () -> Stream.of(process.err().split("Leading as", -1)).count() > times);
  }

  private void untilItWaits(StintProcess process) {
    far.until("it waits", () -> process.err().contains("waiting for the lease"));
  }

  private void work(ObjectRef job, int done) {
    far.until(
        done + " are done",
        () -> {
          far.succeed(3);
          return far.status(job).succeeded() >= done;
        });
  }

  private void finish(ObjectRef job) {
    far.until(
        "it ends",
        () -> {
          far.succeed(10);
          return far.status(job).isTrue("Complete");
        });
    JobStatus status = far.status(job);
    assertThat(status.succeeded()).isEqualTo(COMPLETIONS);
    assertThat(status.failed()).isZero();
    assertThat(far.indexes()).isEqualTo(IntStream.range(0, COMPLETIONS).boxed().toList());
    assertThat(far.pods()).hasSize(COMPLETIONS).allMatch(pod -> pod.finalizers().isEmpty());
  }

  private int transitions() {
    KubeObject lease = far.get(LEASE);
    Integer transitions = Json.integer(lease.spec(), "leaseTransitions");
    return transitions == null ? 0 : transitions;
  }

  @Test
  void aPausedLeaderIsReplacedAndDoesNoHarmWhenItContinues() throws Exception {
    StintProcess first = candidate(3);
    untilItLeads(first, 1);
    StintProcess second = candidate(3);
    untilItWaits(second);
    ObjectRef job = far.create("still", COMPLETIONS, 8, "");
    work(job, 10);
    first.signal("STOP");
    untilItLeads(second, 1);
    work(job, 20);
    first.signal("CONT");
    far.until("it notices", () -> first.err().contains("Lost the lease"));
    finish(job);
    assertThat(transitions()).isEqualTo(1);
    assertThat(first.alive()).isTrue();
  }

  @Test
  void aKilledLeaderIsReplaced() throws Exception {
    StintProcess first = candidate(3);
    untilItLeads(first, 1);
    StintProcess second = candidate(3);
    untilItWaits(second);
    ObjectRef job = far.create("killed", COMPLETIONS, 8, "");
    work(job, 10);
    first.kill();
    finish(job);
    assertThat(transitions()).isEqualTo(1);
    assertThat(second.err()).contains("Leading as");
  }

  /** The lease would last for an hour, so the test does not wait for it. */
  @Test
  void aLeaderThatStopsHandsOverAtOnce() throws Exception {
    StintProcess first = candidate(3600);
    untilItLeads(first, 1);
    StintProcess second = candidate(3600);
    untilItWaits(second);
    ObjectRef job = far.create("ended", COMPLETIONS, 8, "");
    work(job, 10);
    first.terminate();
    assertThat(first.exitStatus()).isEqualTo(128 + 15);
    assertThat(first.err()).contains("Released the lease");
    finish(job);
    assertThat(transitions()).isEqualTo(1);
    assertThat(second.err()).contains("Leading as");
  }

  @Test
  void rejectedCredentialsEndTheProcess() throws Exception {
    Path stranger = directory.resolve("stranger");
    String known = Files.readString(far.kubeconfig());
    Files.writeString(stranger, known.replace(far.pki.adminToken(), "nonsense"));
    StintProcess process =
        StintProcess.run(directory, "controller", "--kubeconfig", stranger.toString());
    assertThat(process.exitStatus()).isEqualTo(2);
    assertThat(process.err().lines())
        .singleElement()
        .asString()
        .contains(far.endpoint.url(), "rejects the credentials");
  }

  @Test
  void anUnreachableApiIsAwaited() throws Exception {
    Path nowhere = directory.resolve("nowhere");
    String there = Files.readString(far.kubeconfig());
    Files.writeString(nowhere, there.replace(far.endpoint.url(), "https://127.0.0.1:1"));
    StintProcess process =
        StintProcess.start(directory, "controller", "--kubeconfig", nowhere.toString());
    processes.add(process);
    far.until("it says so", () -> process.err().contains("; retrying"));
    process.terminate();
    assertThat(process.exitStatus()).isEqualTo(128 + 15);
    assertThat(process.err().lines()).hasSize(1);
  }

  @Test
  void aBrokenConnectionIsReportedInOneLine() throws Exception {
    try (ServerSocket breaking = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> breakEach(breaking));
      Path broken = directory.resolve("broken");
      String there = Files.readString(far.kubeconfig());
      String url = "http://127.0.0.1:" + breaking.getLocalPort();
      Files.writeString(broken, there.replace(far.endpoint.url(), url));
      StintProcess process =
          StintProcess.start(directory, "controller", "--kubeconfig", broken.toString());
      processes.add(process);
      far.until("it says so", () -> process.err().contains("; retrying"));
      process.terminate();
      assertThat(process.exitStatus()).isEqualTo(128 + 15);
      assertThat(process.err().lines()).hasSize(1);
    }
  }

  /** Resets connections after a request, like an API that is killed. */
  private static void breakEach(ServerSocket server) {
    try {
      while (true) {
        try (Socket connection = server.accept()) {
          connection.setSoLinger(true, 0);
          connection.getInputStream().read();
        }
      }
    } catch (IOException closed) {
      assertThat(server.isClosed()).isTrue();
    }
  }
}
