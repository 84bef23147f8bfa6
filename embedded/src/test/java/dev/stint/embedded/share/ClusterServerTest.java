package dev.stint.embedded.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.cluster.Timers;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.harness.FakeCluster;
import dev.stint.harness.TestWorld;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.runner.device.Devices;
import dev.stint.runner.log.LogLimits;
import dev.stint.runner.process.user.Surroundings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

@Timeout(60)
class ClusterServerTest {
  private static final Timers NO_TIMERS = (_, _) -> () -> {};

  @TempDir Path dir;
  private final TestClaims listener = new TestClaims();
  private final Claims claims = new Claims(listener);
  private final FakeCluster cluster = new FakeCluster(Runnable::run, InstantSource.system());
  private @Nullable ClusterServer server;

  @AfterEach
  void close() {
    if (server != null) {
      server.close();
    }
  }

  private void serve(Path directory) throws IOException {
    server =
        ClusterServer.open(
            directory,
            new HolderInfo(7, "run", "process", "", null, PodPermissions.NONE),
            cluster,
            claims,
            NO_TIMERS);
  }

  @Test
  void onlyItsUserMayConnect() throws IOException {
    serve(dir);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("socket"))))
        .isEqualTo("rw-------");
    close();
    assertThat(dir.resolve("socket")).doesNotExist();
  }

  @Test
  void theUserOfAPeerIsKnownWithoutTheSocketsFile() throws IOException {
    try (ServerSocketChannel listening = PrivateSocket.listen(dir);
        SocketChannel client = PrivateSocket.connect(dir)) {
      PrivateSocket.remove(dir);
      try (SocketChannel peer = listening.accept()) {
        assertThat(PrivateSocket.isOwn(peer)).isTrue();
        assertThat(PrivateSocket.isOwn(client)).isTrue();
      }
    }
  }

  @Test
  void noVirtualThreadWaitsForASocketSinceTheEndOfTheProcessWouldWaitToo() throws IOException {
    serve(dir);
    try (ClusterClient client = ClusterClient.connect(dir, NO_TIMERS)) {
      assertThat(client.list(Kind.JOB, null).join().items()).isEmpty();
      assertThat(Thread.getAllStackTraces().keySet())
          .as("threads of the system")
          .extracting(Thread::getName)
          .contains(
              "stint-socket",
              "stint-peer",
              "stint-command-writer",
              "stint-holder",
              "stint-holder-writer");
    }
  }

  @Test
  void theSocketOfAKilledHolderIsReplaced() throws IOException {
    serve(dir);
    serve(dir);
    try (ClusterClient client = ClusterClient.connect(dir, NO_TIMERS)) {
      assertThat(client.holder()).hasToString("stint run (pid 7)");
    }
  }

  @Test
  void aPathLongerThanASocketsAddressWorks() throws IOException {
    Path deep = dir;
    for (int i = 0; i < 10; i++) {
      deep = deep.resolve("a-directory-with-a-long-name");
    }
    serve(Files.createDirectories(deep));
    try (ClusterClient client = ClusterClient.connect(deep, NO_TIMERS)) {
      assertThat(client.list(Kind.JOB, null).join().items()).isEmpty();
    }
  }

  @Test
  void withoutAHolderTheConnectionFails() {
    assertThatThrownBy(() -> ClusterClient.connect(dir, NO_TIMERS)).isInstanceOf(IOException.class);
  }

  @Test
  void aHolderThatDoesNotGreetIsGivenUp() throws IOException {
    Timers impatient =
        (_, task) -> {
          Thread.ofVirtual().start(task);
          return () -> {};
        };
    try (ServerSocketChannel stopped = PrivateSocket.listen(dir)) {
      assertThatThrownBy(() -> ClusterClient.connect(dir, impatient))
          .isInstanceOf(SilentHolderException.class);
      assertThat(stopped.isOpen()).isTrue();
    }
  }

  /** Its timers are due when it goes on, before it has read what has arrived. */
  @Test
  void aProcessThatWasStoppedItselfHearsTheHolderThatHasGreetedMeanwhile() throws IOException {
    AtomicBoolean due = new AtomicBoolean(true);
    Timers late =
        (_, task) -> {
          if (due.getAndSet(false)) {
            task.run();
          }
          return () -> {};
        };
    serve(dir);
    try (ClusterClient client = ClusterClient.connect(dir, late)) {
      assertThat(client.list(Kind.JOB, null).join().items()).isEmpty();
    }
  }

  /** Returns claims that end in a wait for Jobs that never become free. */
  private static Claims mute() {
    Claims claims = TestClaims.idle();
    Object other = new Object();
    claims.take(other, List.of(TestClaims.claim("a")));
    claims.leave(other);
    return claims;
  }

  /** Timers whose tasks run when a test says so. */
  private static final class ManualTimers implements Timers {
    private final List<Runnable> tasks = new ArrayList<>();

    @Override
    public Runnable after(Duration delay, Runnable task) {
      tasks.add(task);
      return () -> {};
    }

    private void runLast() {
      tasks.getLast().run();
    }
  }

  @Test
  void aClaimWaitsAsLongAsTheHolderAnswers() throws IOException {
    ManualTimers timers = new ManualTimers();
    server =
        ClusterServer.open(
            dir,
            new HolderInfo(7, "run", "process", "", null, PodPermissions.NONE),
            cluster,
            mute(),
            NO_TIMERS);
    try (ClusterClient client = ClusterClient.connect(dir, timers)) {
      CompletableFuture<?> claim = client.claim(List.of(TestClaims.claim("a")));
      for (int i = 0; i < 10; i++) {
        timers.runLast();
        client.claims().orTimeout(30, TimeUnit.SECONDS).join();
      }
      assertThat(claim).isNotDone();
      assertThat(client.lost()).isNotDone();
    }
  }

  @Test
  void aConnectionForWhichThereIsNoThreadEndsAloneAndTheNextOneIsServed() throws IOException {
    AtomicBoolean full = new AtomicBoolean(true);
    server =
        ClusterServer.open(
            dir,
            new HolderInfo(7, "run", "process", "", null, PodPermissions.NONE),
            cluster,
            claims,
            (_, task) -> {
              task.run();
              return () -> {};
            },
            null,
            _ -> {
              if (full.getAndSet(false)) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              return true;
            });
    assertThatThrownBy(() -> ClusterClient.connect(dir, NO_TIMERS)).isInstanceOf(IOException.class);
    try (ClusterClient client = ClusterClient.connect(dir, NO_TIMERS)) {
      assertThat(client.claims().orTimeout(30, TimeUnit.SECONDS).join()).isEmpty();
    }
  }

  @Test
  void aHolderThatIsStoppedIsGivenUp() throws IOException {
    ManualTimers timers = new ManualTimers();
    try (ServerSocketChannel listening = PrivateSocket.listen(dir);
        SocketChannel peer = greeted(listening, timers)) {
      ClusterClient client = this.client.join();
      CompletableFuture<?> claim = client.claim(List.of(TestClaims.claim("a")));
      for (int i = 0; i <= Heartbeat.MOST_MISSED; i++) {
        assertThat(client.lost()).isNotDone();
        timers.runLast();
      }
      assertThatThrownBy(claim::join).matches(ClusterClient::isLoss);
      assertThat(client.lost()).isDone();
      assertThat(peer.isOpen()).isTrue();
    }
  }

  private final CompletableFuture<ClusterClient> client = new CompletableFuture<>();

  /** Connects {@link #client} to a holder that greets it, and does nothing more. */
  private SocketChannel greeted(ServerSocketChannel listening, Timers timers) throws IOException {
    Thread.ofVirtual()
        .start(() -> {
          try {
            client.complete(ClusterClient.connect(dir, timers));
          } catch (IOException fault) {
            client.completeExceptionally(fault);
          }
        });
    SocketChannel peer = listening.accept();
    byte[] greeting =
        Json.bytes(new HolderInfo(7, "run", "process", "", null, PodPermissions.NONE).toJson());
    peer.write(
        ByteBuffer.allocate(4 + greeting.length).putInt(greeting.length).put(greeting).flip());
    client.orTimeout(30, TimeUnit.SECONDS).join();
    return peer;
  }

  @Test
  void aHolderHandsTheDirectoryOverIfItIsAskedTo() throws Exception {
    CompletableFuture<String> asked = new CompletableFuture<>();
    server =
        ClusterServer.open(
            dir,
            new HolderInfo(7, "run", "process", "", null, PodPermissions.NONE),
            cluster,
            claims,
            (_, task) -> {
              Thread.ofVirtual().start(task);
              return () -> {};
            },
            () -> asked.complete("asked"));
    try (ClusterClient guest = ClusterClient.connect(dir, NO_TIMERS);
        ClusterClient next = ClusterClient.connect(dir, NO_TIMERS)) {
      assertThat(guest.handsOver()).isFalse();
      next.takeOver().orTimeout(30, TimeUnit.SECONDS).join();
      asked.orTimeout(30, TimeUnit.SECONDS).join();
      server.announceHandOver();
      guest.claims().orTimeout(30, TimeUnit.SECONDS).join();
      assertThat(guest.handsOver()).isTrue();
    }
  }

  @Test
  void aHolderThatKeepsTheDirectorySaysSo() throws IOException {
    serve(dir);
    try (ClusterClient next = ClusterClient.connect(dir, NO_TIMERS)) {
      assertThatThrownBy(() -> next.takeOver().join())
          .hasRootCauseMessage("stint run (pid 7) keeps the directory");
    }
  }

  @Test
  void theHolderTellsItsLimits() throws IOException {
    Devices gpus = Devices.NONE.with("example.com/gpu", List.of("0", "1"));
    MachineLimits limits =
        new MachineLimits(
            3,
            Long.MAX_VALUE,
            1L << 40,
            gpus,
            Duration.ofSeconds(9),
            new LogLimits(1 << 20, Duration.ofHours(3), 7));
    server =
        ClusterServer.open(
            dir,
            new HolderInfo(7, "run", "process", "", limits, PodPermissions.NONE),
            cluster,
            claims,
            NO_TIMERS);
    try (ClusterClient client = ClusterClient.connect(dir, NO_TIMERS)) {
      assertThat(client.holder().limits()).isEqualTo(limits);
    }
  }

  @Test
  void surroundingsArriveAsTheyAre() throws IOException {
    serve(dir);
    Surroundings surroundings =
        Surroundings.of(Map.of("TERMINAL", "two\nlines"), Path.of("/somewhere"), "0077");
    try (ClusterClient client = ClusterClient.connect(dir, NO_TIMERS)) {
      client
          .claim(List.of(new JobClaim("default", "a", "stint run (pid 8)", true, surroundings)))
          .join();
      assertThat(client.claims().join()).containsExactly("default/a");
    }
    JobClaim claim = listener.left.orTimeout(30, TimeUnit.SECONDS).join().getFirst();
    assertThat(claim.decidesOnDisruptions()).isTrue();
    assertThat(claim.surroundings().environment()).containsEntry("TERMINAL", "two\nlines");
    assertThat(claim.surroundings().directory()).isEqualTo(Path.of("/somewhere"));
    assertThat(claim.surroundings().umask()).isEqualTo("0077");
  }

  @Test
  void releasedClaimsAreNotInterrupted() throws IOException {
    serve(dir);
    try (ClusterClient client = ClusterClient.connect(dir, NO_TIMERS)) {
      client.claim(List.of(TestClaims.claim("a"))).join();
      client.release().join();
    }
    try (ClusterClient client = ClusterClient.connect(dir, NO_TIMERS)) {
      assertThat(client.claims().join()).isEmpty();
    }
    assertThat(listener.calls).containsExactly("claim [default/a]");
  }

  @Test
  void theEndOfTheHolderInterruptsNothing() throws IOException {
    serve(dir);
    ClusterClient client = ClusterClient.connect(dir, NO_TIMERS);
    client.claim(List.of(TestClaims.claim("a"))).join();
    close();
    client.lost().orTimeout(30, TimeUnit.SECONDS).join();
    assertThatThrownBy(() -> client.get(TestWorld.job("a")).join())
        .isInstanceOf(CompletionException.class)
        .matches(ClusterClient::isLoss);
    assertThat(listener.calls).containsExactly("claim [default/a]");
  }

  @Test
  void refusalsKeepTheirReason() throws IOException {
    serve(dir);
    try (ClusterClient client = ClusterClient.connect(dir, NO_TIMERS)) {
      assertThatThrownBy(() -> client.get(new ObjectRef(Kind.JOB, "default", "none")).join())
          .cause()
          .isInstanceOfSatisfying(
              ClusterException.class,
              refusal -> assertThat(refusal.reason()).isEqualTo(ClusterException.Reason.NOT_FOUND));
    }
  }

  @Test
  void garbageEndsTheConnectionAndNothingElse() throws IOException {
    serve(dir);
    for (byte[] garbage :
        List.of(
            new byte[] {127, -1, -1, -1},
            new byte[] {-1, -1, -1, -1},
            new byte[] {0, 0, 0, 3, 'a', 'b', 'c'},
            new byte[] {0, 0, 0, 2, '[', ']'},
            new byte[] {0, 0, 0, 2, '{', '}'})) {
      try (SocketChannel peer = PrivateSocket.connect(dir)) {
        peer.write(ByteBuffer.wrap(garbage));
        ByteBuffer rest = ByteBuffer.allocate(1024);
        int read = 0;
        while (read >= 0) {
          rest.clear();
          read = peer.read(rest);
        }
      }
    }
    try (ClusterClient client = ClusterClient.connect(dir, NO_TIMERS)) {
      assertThat(client.claims().join()).isEmpty();
    }
  }

  @Test
  void aRequestThatIsTooLargeFailsAndTheConnectionStays() throws IOException {
    serve(dir);
    try (ClusterClient client = ClusterClient.connect(dir, NO_TIMERS)) {
      assertThatThrownBy(() -> client.create(configMap("c", 33 << 20)).join())
          .cause()
          .isInstanceOfSatisfying(
              ClusterException.class,
              refusal ->
                  assertThat(refusal.reason()).isEqualTo(ClusterException.Reason.BAD_REQUEST));
      assertThat(client.claims().join()).isEmpty();
    }
  }

  @Test
  void aMalformedRequestIsRefused() throws IOException {
    serve(dir);
    try (SocketChannel peer = PrivateSocket.connect(dir);
        FrameChannel channel = new FrameChannel(peer, "test", 1 << 20)) {
      channel.read();
      channel.send(Json.parse("{\"id\":1,\"op\":\"get\"}"));
      assertThat(channel.read()).hasToString("" + channelAnswer());
    }
  }

  private static Object channelAnswer() {
    return Json.parse(
        "{\"id\":1,\"error\":{\"reason\":\"BAD_REQUEST\",\"message\":"
            + "\"malformed request: java.lang.NullPointerException: ref\",\"causes\":[]}}");
  }

  private static final String CONFIG_MAPS =
      "\"group\":\"\",\"version\":\"v1\",\"kind\":\"ConfigMap\",\"plural\":\"configmaps\",\"namespaced\":true";

  private static KubeObject configMap(String name, int bytes) {
    return KubeObject.of(
        Json.parse(
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\",\"namespace\":\"default\"},\"data\":{\"k\":\"%s\"}}"
                .formatted(name, "x".repeat(bytes))));
  }

  @Test
  void aLargeBatchOfEventsComesInParts() throws IOException {
    CompletableFuture<WatchHandler> handler = new CompletableFuture<>();
    Cluster watched =
        new ForwardingCluster(cluster) {
          @Override
          public Watch watch(
              Kind kind, @Nullable String namespace, String after, WatchHandler given) {
            handler.complete(given);
            return () -> {};
          }
        };
    server =
        ClusterServer.open(
            dir,
            new HolderInfo(7, "run", "process", "", null, PodPermissions.NONE),
            watched,
            claims,
            NO_TIMERS);
    CountDownLatch events = new CountDownLatch(1024);
    try (ClusterClient client = ClusterClient.connect(dir, NO_TIMERS)) {
      client.watch(
          Kind.CONFIG_MAP,
          null,
          "0",
          new WatchHandler() {
            @Override
            public void onEvent(WatchEvent event) {
              events.countDown();
            }

            @Override
            public void onClosed(@Nullable ClusterException cause) {}
          });
      WatchEvent event = new WatchEvent(WatchEvent.Type.ADDED, configMap("c", (32 << 10) + 1));
      handler
          .orTimeout(30, TimeUnit.SECONDS)
          .join()
          .onEvents(Collections.nCopies((int) events.getCount(), event));
      client.claims().orTimeout(30, TimeUnit.SECONDS).join();
      assertThat(events.getCount()).isZero();
    }
  }

  @Test
  void aWatchWhoseEventsNobodyReadsEndsAndNotTheConnection() throws IOException {
    serve(dir);
    try (SocketChannel peer = PrivateSocket.connect(dir);
        FrameChannel channel = new FrameChannel(peer, "test", 1 << 20)) {
      channel.read();
      channel.send(
          Json.parse("{\"id\":1,\"op\":\"watch\",\"after\":\"0\",\"kind\":{" + CONFIG_MAPS + "}}"));
      channel.send(Json.parse("{\"id\":2,\"op\":\"claims\"}"));
      channel.read();
      for (int i = 0; i < 70; i++) {
        cluster.create(configMap("c" + i, 1 << 20)).join();
      }
      ObjectNode last = channel.read();
      while (last != null && last.has("events")) {
        last = channel.read();
      }
      assertThat(last)
          .hasToString(
              "{\"id\":1,\"closed\":true,\"error\":{\"reason\":\"GONE\",\"message\":\"the client does not read its events\",\"causes\":[]}}");
      channel.send(Json.parse("{\"id\":3,\"op\":\"claims\"}"));
      assertThat(channel.read()).hasToString("{\"jobs\":[],\"id\":3}");
    }
  }

  @Test
  void whoDoesNotReadIsCutOff() throws IOException {
    serve(dir);
    cluster.add(
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'c','namespace':'default'},'data':{'k':'%s'}}"
            .formatted("x".repeat(1 << 20)));
    byte[] request =
        Json.bytes(
            Json.parse(
                "{\"id\":1,\"op\":\"get\",\"ref\":{\"group\":\"\",\"version\":\"v1\",\"kind\":\"ConfigMap\",\"plural\":\"configmaps\",\"namespaced\":true,\"namespace\":\"default\",\"name\":\"c\"}}"));
    try (SocketChannel peer = PrivateSocket.connect(dir)) {
      assertThatThrownBy(
              () -> {
                while (true) {
                  ByteBuffer frame = ByteBuffer.allocate(4 + request.length);
                  peer.write(frame.putInt(request.length).put(request).flip());
                }
              })
          .isInstanceOf(IOException.class);
    }
  }
}
