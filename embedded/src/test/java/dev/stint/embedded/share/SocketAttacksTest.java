package dev.stint.embedded.share;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cluster.Timers;
import dev.stint.harness.FakeCluster;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Attacks on the private socket: whatever a peer does, others are served, at a bounded cost. */
@Timeout(120)
class SocketAttacksTest {
  private static final Timers NO_TIMERS = (_, _) -> () -> {};
  private static final HolderInfo HOLDER =
      new HolderInfo(7, "run", "process", "", null, PodPermissions.NONE);

  @TempDir Path dir;
  private final FakeCluster cluster = new FakeCluster(Runnable::run, InstantSource.system());
  private final TestClaims listener = new TestClaims();
  private final Claims claims = new Claims(listener);
  private final List<SocketChannel> peers = new ArrayList<>();
  private @Nullable ClusterServer server;

  @AfterEach
  void close() throws IOException {
    for (SocketChannel peer : peers) {
      peer.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private void serve() throws IOException {
    server = ClusterServer.open(dir, HOLDER, cluster, claims, NO_TIMERS);
  }

  private Path socket() {
    return dir.resolve("socket");
  }

  private SocketChannel peer() throws IOException {
    SocketChannel peer = PrivateSocket.connect(dir);
    peers.add(peer);
    return peer;
  }

  private static int read(SocketChannel peer) throws IOException {
    try {
      return peer.read(ByteBuffer.allocate(1 << 16));
    } catch (IOException reset) {
      return -1;
    }
  }

  /** Reads what the holder sends until it closes the connection. */
  private static void awaitEnd(SocketChannel peer) throws IOException {
    int bytes = read(peer);
    while (bytes >= 0) {
      bytes = read(peer);
    }
  }

  private void assertServed() throws IOException {
    try (ClusterClient client = ClusterClient.connect(dir, NO_TIMERS)) {
      assertThat(client.list(Kind.JOB, null).join().items()).isEmpty();
    }
  }

  @Test
  void aPeerOfAnotherUserLearnsNothing() throws IOException {
    server = ClusterServer.open(dir, HOLDER, cluster, claims, NO_TIMERS, null, _ -> false);
    assertThat(read(peer())).isEqualTo(-1);
  }

  @Test
  void aPeerOfAnUnknownUserLearnsNothing() throws IOException {
    server =
        ClusterServer.open(
            dir,
            HOLDER,
            cluster,
            claims,
            NO_TIMERS,
            null,
            _ -> {
              throw new IOException("no such user");
            });
    assertThat(read(peer())).isEqualTo(-1);
    assertThat(read(peer())).as("it goes on to accept").isEqualTo(-1);
  }

  @Test
  void theSocketIsPrivateInADirectoryThatOthersMayWrite() throws IOException {
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxrwxrwx"));
    serve();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket())))
        .isEqualTo("rw-------");
    assertServed();
  }

  @Test
  void aPlantedFileIsReplacedAndWhatALinkLeadsToIsKept() throws IOException {
    Path precious = Files.writeString(dir.resolve("precious"), "kept");
    Files.setPosixFilePermissions(precious, PosixFilePermissions.fromString("rw-r--r--"));
    for (String name : List.of("socket", ".socket.unfinished")) {
      Path planted = dir.resolve(name);
      Files.writeString(planted, "planted");
      serveAgain();
      Files.deleteIfExists(planted);
      Files.createSymbolicLink(planted, precious);
      serveAgain();
    }
    assertThat(precious).hasContent("kept");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(precious)))
        .isEqualTo("rw-r--r--");
  }

  private void serveAgain() throws IOException {
    try (ClusterServer again = ClusterServer.open(dir, HOLDER, cluster, claims, NO_TIMERS)) {
      assertServed();
      assertThat(again).isNotNull();
    }
  }

  @Test
  void aPlantedFifoIsReplaced() throws Exception {
    assertThat(new ProcessBuilder("mkfifo", socket().toString()).start().waitFor()).isZero();
    assertThatThrownBy(() -> PrivateSocket.connect(dir)).isInstanceOf(IOException.class);
    serveAgain();
  }

  @Test
  void aPlantedDirectoryCostsOnlyTheSharing() throws IOException {
    Files.createFile(Files.createDirectory(socket()).resolve("file"));
    assertThatThrownBy(this::serve).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> PrivateSocket.connect(dir)).isInstanceOf(IOException.class);
  }

  @Test
  void aLinkToTheSocketOfAnotherDirectoryIsNotFollowed() throws IOException {
    Path other = Files.createDirectory(dir.resolve("other"));
    try (ServerSocketChannel listening = PrivateSocket.listen(other)) {
      Files.createSymbolicLink(socket(), other.resolve("socket"));
      assertThatThrownBy(() -> PrivateSocket.connect(dir))
          .isInstanceOf(IOException.class)
          .hasMessageEndingWith("socket is a link");
      assertThat(listening.isOpen()).isTrue();
    }
  }

  @Test
  void whatIsNoSocketCannotBeConnected() throws IOException {
    Files.writeString(socket(), "planted");
    assertThatThrownBy(() -> PrivateSocket.connect(dir)).isInstanceOf(IOException.class);
  }

  @Test
  void theSocketOfADeadProcessCannotBeConnected() throws IOException {
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(socket()));
    }
    assertThat(socket()).exists();
    assertThatThrownBy(() -> PrivateSocket.connect(dir)).isInstanceOf(IOException.class);
    serveAgain();
  }

  @Test
  void aThousandConnectionsAreNotServedAtOnce() throws Exception {
    serve();
    ClusterClient first = ClusterClient.connect(dir, NO_TIMERS);
    first.claim(List.of(TestClaims.claim("a"))).join();
    int served = 1;
    for (int i = 1; i < 1000; i++) {
      served += read(peer()) > 0 ? 1 : 0;
    }
    assertThat(served).isEqualTo(ClusterServer.MOST_CONNECTIONS);
    first.close();
    listener.left.get(1, TimeUnit.MINUTES);
    assertThat(read(peer())).as("there is room for another one").isPositive();
  }

  @Test
  void manyHalfMessagesTakeUpABoundedAmountOfMemory() throws IOException {
    serve();
    ByteBuffer half = ByteBuffer.allocate(FrameChannel.MOST_FRAME_BYTES - 1);
    int cut = 0;
    for (int i = 0; i < 10; i++) {
      SocketChannel peer = peer();
      read(peer);
      cut += isCut(peer, half.rewind()) ? 1 : 0;
    }
    assertThat(cut).as("cut off at 128 MiB in all").isGreaterThan(5);
    assertServed();
  }

  /** True if the holder ends the connection while a peer sends a part of a large message. */
  private static boolean isCut(SocketChannel peer, ByteBuffer part) {
    try {
      peer.write(ByteBuffer.allocate(4).putInt(FrameChannel.MOST_FRAME_BYTES).flip());
      while (part.hasRemaining()) {
        peer.write(part);
      }
      return false;
    } catch (IOException cut) {
      return true;
    }
  }

  @Test
  void messagesThatNestDeeplyOrEndEarlyEndTheirConnectionOnly() throws IOException {
    serve();
    byte[] deep = ("{\"a\":" + "[".repeat(1 << 20) + "}").getBytes(UTF_8);
    SocketChannel nested = peer();
    nested.write(ByteBuffer.allocate(4 + deep.length).putInt(deep.length).put(deep).flip());
    awaitEnd(nested);
    SocketChannel half = peer();
    half.write(ByteBuffer.wrap(new byte[] {0, 0, 1}));
    half.shutdownOutput();
    awaitEnd(half);
    assertServed();
  }

  @Test
  void aConnectionThatSaysNothingHoldsUpNobody() throws IOException {
    serve();
    SocketChannel mute = peer();
    assertThat(read(mute)).isPositive();
    assertThatCode(this::assertServed).doesNotThrowAnyException();
  }

  @Test
  void aListOfRequestsThatAreNoneIsRefusedOneByOne() throws IOException {
    serve();
    try (SocketChannel peer = PrivateSocket.connect(dir);
        FrameChannel channel = new FrameChannel(peer, "test", 1 << 20)) {
      channel.read();
      List<String> requests =
          List.of(
              "{\"id\":1}",
              "{\"id\":2,\"op\":\"launch\"}",
              "{\"id\":3,\"op\":\"claim\",\"surroundings\":[],\"jobs\":7}",
              "{\"id\":4,\"op\":\"list\",\"kind\":\"Job\"}",
              "{\"id\":5,\"op\":\"watch\",\"kind\":{}}",
              "{\"id\":6,\"op\":\"create\",\"object\":null}",
              "{\"id\":7,\"op\":\"delete\",\"ref\":{\"kind\":{}}}");
      for (String request : requests) {
        channel.send(Json.parse(request));
        assertThat(String.valueOf(channel.read())).contains("BAD_REQUEST");
      }
      channel.send(Json.parse("{\"id\":8,\"op\":\"next\"}"));
      channel.send(Json.parse("{\"id\":9,\"op\":\"stop\"}"));
      channel.send(Json.parse("{\"id\":10,\"op\":\"ping\"}"));
      assertThat(channel.read()).hasToString("{\"id\":10}");
    }
  }
}
