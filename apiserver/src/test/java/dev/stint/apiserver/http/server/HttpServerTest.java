package dev.stint.apiserver.http.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.stint.apiserver.access.User;
import dev.stint.apiserver.access.pki.Pki;
import dev.stint.apiserver.catalogue.TestCatalogue;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.ClientIdentity;
import dev.stint.apiserver.http.RequestFilter;
import dev.stint.apiserver.http.WebSocketSession;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server whose clients take all that they can get still serves others.
 *
 * <p>The header {@code User} stands for authentication.
 */
@Execution(ExecutionMode.CONCURRENT)
class HttpServerTest {
  /** More than there are carriers of virtual threads, at most. */
  private static final int BLOCKED = 300;

  /** More than fits into the buffers of a connection, and the part of one user. */
  private static final int PIECE_BYTES = 8 << 20;

  private static final HttpLimits LIMITS = HttpLimits.of(128 << 20, 4_000);

  @TempDir private Path directory = Path.of("");

  private final List<AutoCloseable> open = new ArrayList<>();
  private @Nullable HttpServer server;

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private void serve(HttpLimits limits, RequestFilter gate) throws IOException {
    HttpServer plain = HttpServer.plain(InetSocketAddress.createUnresolved("127.0.0.1", 0), limits);
    server = plain;
    plain.start(
        new JettyAdapter(
            () -> TestCatalogue.BUILT_IN, (call, peer) -> identified(gate, call, peer), limits));
  }

  private static ApiResponse identified(RequestFilter gate, Call call, ClientIdentity peer)
      throws IOException {
    String name = call.header("User");
    call.body()
        .identify(
            name.isEmpty()
                ? User.ANONYMOUS
                : User.of(name, name.equals("admin") ? "system:masters" : User.AUTHENTICATED));
    return gate.answer(call, peer);
  }

  private Socket connect() throws IOException {
    int port = server == null ? 0 : server.port();
    Socket socket = new Socket();
    socket.setReceiveBufferSize(8 << 10);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    open.add(socket);
    return socket;
  }

  private Socket send(String user, String method, String path, String rest) throws IOException {
    Socket socket = connect();
    String head = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nUser: " + user + "\r\n";
    write(socket, head + rest);
    return socket;
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(UTF_8));
    socket.getOutputStream().flush();
  }

  private static String status(Socket socket) throws IOException {
    return String.valueOf(
        new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)).readLine());
  }

  private String get(String user, String path) throws IOException {
    return status(send(user, "GET", path, "\r\n"));
  }

  @Test
  void healthIsToldWhileAllCarriersAreBlocked() throws Exception {
    Path fifo = directory.resolve("fifo");
    new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor();
    CountDownLatch begun = new CountDownLatch(Runtime.getRuntime().availableProcessors());
    try (RandomAccessFile writer = new RandomAccessFile(fifo.toFile(), "rw")) {
      serve(
          LIMITS,
          (call, _) -> {
            if (call.path().equals("/block")) {
              begun.countDown();
              try (FileInputStream in = new FileInputStream(fifo.toFile())) {
                return ApiResponse.text(200, "read " + in.read());
              }
            }
            return ApiResponse.text(200, "ok");
          });
      List<Socket> blocked = new ArrayList<>();
      for (int i = 0; i < BLOCKED; i++) {
        blocked.add(send("admin", "GET", "/block", "\r\n"));
      }
      begun.await();
      assertThat(get("", "/readyz")).contains("200");
      assertThat(get("", "/livez/ping")).contains("200");
      writer.write(new byte[BLOCKED]);
      for (Socket socket : blocked) {
        assertThat(status(socket)).contains("200");
      }
    }
  }

  @Test
  @Timeout(60)
  void requestsThatComputeDoNotHoldUpOthers() throws Exception {
    int processors = Runtime.getRuntime().availableProcessors();
    assumeThat(processors).isLessThan(CarrierWatch.MOST);
    CountDownLatch begun = new CountDownLatch(processors);
    AtomicBoolean enough = new AtomicBoolean();
    serve(
        LIMITS,
        (call, _) -> {
          if (call.path().equals("/compute")) {
            begun.countDown();
            while (!enough.get()) {
              Thread.onSpinWait();
            }
          }
          return ApiResponse.text(200, "");
        });
    List<Socket> computing = new ArrayList<>();
    for (int i = 0; i < processors; i++) {
      computing.add(send("mallory", "GET", "/compute", "\r\n"));
    }
    try {
      begun.await();
      assertThat(get("alice", "/other")).contains("200");
    } finally {
      enough.set(true);
    }
    for (Socket socket : computing) {
      assertThat(status(socket)).contains("200");
    }
  }

  /** A response of many pieces, which counts those that are made. */
  private static final class Endless implements ApiResponse.Body {
    final AtomicLong made = new AtomicLong();
    final AtomicInteger cut = new AtomicInteger();
    final CountDownLatch ended = new CountDownLatch(1);

    @Override
    public boolean isFinite() {
      return true;
    }

    @Override
    public void writeTo(ApiResponse.Sink sink) throws IOException {
      try {
        for (int i = 0; i < 1_000; i++) {
          sink.write(
              PIECE_BYTES,
              () -> {
                made.incrementAndGet();
                return new byte[PIECE_BYTES];
              });
        }
      } catch (IOException gone) {
        cut.incrementAndGet();
        ended.countDown();
        throw gone;
      }
    }
  }

  @Test
  void unreadAnswersHoldNoMoreThanTheirBudget() throws Exception {
    Endless endless = new Endless();
    serve(
        LIMITS,
        (call, _) ->
            call.path().equals("/endless")
                ? new ApiResponse.Streamed(200, ApiResponse.TEXT, endless, List.of())
                : ApiResponse.text(200, "x".repeat(call.path().equals("/readyz") ? 2 : 1 << 20)));
    for (int i = 0; i < 100; i++) {
      send("mallory", "GET", "/endless", "\r\n");
    }
    assertThat(get("alice", "/megabyte")).contains("200");
    assertThat(get("mallory", "/readyz")).contains("200");
    assertThat(get("mallory", "/megabyte")).contains("429");
    assertThat(get("admin", "/megabyte")).contains("200");
    assertThat(endless.made).hasValue(1);
  }

  /** Waits until all are told to end, and holds some memory beside its pieces. */
  private record LongList(long memory, CountDownLatch end) implements ApiResponse.Body {
    @Override
    public boolean isFinite() {
      return true;
    }

    @Override
    public void writeTo(ApiResponse.Sink sink) throws IOException {
      sink.write(new byte[1]);
      await(end);
    }
  }

  /** The memory for requests is 32 MiB: a quarter is one user's, and a half of it one list's. */
  @Test
  void longListsHoldNoMoreThanTheirUsersPart() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    serve(
        LIMITS,
        (call, _) -> {
          long bytes = Long.parseLong(call.path().substring(1));
          return new ApiResponse.Streamed(
              200, ApiResponse.TEXT, new LongList(bytes, end), List.of());
        });
    assertThat(get("mallory", "/3000000")).contains("200");
    assertThat(get("mallory", "/3000000")).contains("200");
    assertThat(get("mallory", "/3000000")).contains("429");
    assertThat(get("mallory", "/0")).contains("200");
    assertThat(get("alice", "/3000000")).contains("200");
    assertThat(get("bob", "/1000000000")).as("the longest list of all").contains("200");
    end.countDown();
  }

  @Test
  void unreadAnswersToWritesWhoseBodiesComeSlowlyHoldNoMoreThanTwiceTheirBudget() throws Exception {
    CountDownLatch begun = new CountDownLatch(11);
    CountDownLatch written = new CountDownLatch(10);
    serve(
        LIMITS,
        (call, _) -> {
          begun.countDown();
          call.body().read();
          written.countDown();
          await(written);
          return ApiResponse.text(200, "x".repeat(PIECE_BYTES));
        });
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < 11; i++) {
      sockets.add(send("mallory", "PATCH", "/", "Content-Length: 2\r\n\r\n{"));
    }
    await(begun);
    List<String> statuses = new ArrayList<>();
    for (Socket socket : sockets.subList(0, 10)) {
      write(socket, "}");
    }
    for (Socket socket : sockets.subList(0, 10)) {
      statuses.add(status(socket).substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
    }
    assertThat(statuses).containsOnlyOnce("200").contains("504").containsOnly("200", "504");
    write(sockets.getLast(), "}");
    assertThat(status(sockets.getLast())).contains("429");
  }

  @Test
  void aClientThatDoesNotReadIsCutOff() throws Exception {
    Endless endless = new Endless();
    serve(
        LIMITS.withTimes(Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofSeconds(3)),
        (_, _) -> new ApiResponse.Streamed(200, ApiResponse.TEXT, endless, List.of()));
    send("alice", "GET", "/endless", "\r\n");
    endless.ended.await();
    assertThat(endless.cut).hasValue(1);
  }

  @Test
  void uploadsOfStrangersThatStallLeaveUsersAndAdministratorsTheirPart() throws Exception {
    serve(LIMITS, (call, _) -> ApiResponse.text(200, "read " + call.body().read().length));
    String body = "Content-Length: 1000000\r\n\r\n" + "x".repeat(900_000);
    List<Socket> stalled = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      stalled.add(upload(body));
    }
    // Each of them is stalled or refused once the server has read what there is of the first.
    assertThat(isRefused(stalled.getLast())).isTrue();
    String whole = "Content-Length: 1000000\r\n\r\n" + "x".repeat(1_000_000);
    assertThat(status(send("alice", "POST", "/", whole))).contains("200");
    assertThat(status(send("admin", "POST", "/", whole))).contains("200");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aHundredMegabytesAreRefusedWithAndWithoutALength(boolean hasLength) throws Exception {
    serve(LIMITS, (call, _) -> ApiResponse.text(200, "read " + call.body().read().length));
    BodyPublisher body = BodyPublishers.ofByteArrays(Collections.nCopies(100, new byte[1 << 20]));
    int port = server == null ? 0 : server.port();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
            .version(HttpClient.Version.HTTP_1_1)
            .header("User", "alice")
            .POST(hasLength ? BodyPublishers.fromPublisher(body, 100L << 20) : body)
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      assertThat(client.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(413);
    }
    assertThat(get("bob", "/")).contains("200");
  }

  /** Sends a body as a stranger. The server may refuse it, and close, before all of it is sent. */
  private Socket upload(String body) throws IOException {
    Socket socket = connect();
    try {
      write(socket, "POST /console/api/session HTTP/1.1\r\nHost: localhost\r\nUser: \r\n" + body);
    } catch (SocketException refused) {
      return socket;
    }
    return socket;
  }

  /** True if a request is answered 429, even if the end of its connection overtakes the answer. */
  private static boolean isRefused(Socket socket) throws IOException {
    try {
      return status(socket).contains("429");
    } catch (SocketException closed) {
      return true;
    }
  }

  @Test
  void strangersFromManyAddressesLockNobodyElseOut() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    Waiting waiting = new Waiting(over);
    serve(
        HttpLimits.of(32 << 20, 4_000),
        (call, _) ->
            call.path().equals("/wait")
                ? new ApiResponse.Streamed(200, ApiResponse.TEXT, waiting, List.of())
                : ApiResponse.text(200, "ok"));
    for (String address : List.of("127.0.0.1", "127.0.0.2")) {
      String status = "200";
      while (status.contains("200")) {
        status = status(stranger(address, "/wait"));
      }
      assertThat(status).contains("429");
    }
    assertThat(get("", "/")).contains("429");
    assertThat(get("alice", "/")).contains("200");
    assertThat(get("admin", "/")).contains("200");
    over.countDown();
  }

  /** A response that waits after its first piece. */
  private record Waiting(CountDownLatch over) implements ApiResponse.Body {
    @Override
    public boolean isFinite() {
      return true;
    }

    @Override
    public void writeTo(ApiResponse.Sink sink) throws IOException, InterruptedException {
      sink.write(new byte[1]);
      over.await();
    }
  }

  @Test
  void tooManyChecksOfOneAddressCloseTheirConnections() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    serve(
        LIMITS,
        (call, _) -> {
          if (call.path().equals("/livez/x")) {
            await(over);
          }
          return ApiResponse.text(200, "ok");
        });
    List<CompletableFuture<Boolean>> closed = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Socket socket = stranger("127.0.0.2", "/livez/x");
      closed.add(CompletableFuture.supplyAsync(() -> isClosed(socket), Thread::startVirtualThread));
    }
    assertThat(CompletableFuture.anyOf(closed.toArray(CompletableFuture[]::new)).join())
        .isEqualTo(true);
    assertThat(get("alice", "/")).contains("200");
    over.countDown();
    assertThat(get("", "/readyz")).contains("200");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  /** True if a connection is closed without an answer. */
  private static boolean isClosed(Socket socket) {
    try {
      return status(socket).equals("null");
    } catch (IOException reset) {
      return true;
    }
  }

  private Socket stranger(String address, String path) throws IOException {
    Socket socket = new Socket();
    open.add(socket);
    socket.bind(new InetSocketAddress(address, 0));
    socket.connect(
        new InetSocketAddress(
            InetAddress.getLoopbackAddress(), server == null ? 0 : server.port()));
    write(socket, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return socket;
  }

  @Test
  void aHeadThatDoesNotComeClosesItsConnection() throws Exception {
    serve(shortHeads(), (_, _) -> ApiResponse.text(200, "ok"));
    Socket silent = connect();
    Socket slow = connect();
    write(slow, "GET / HTTP/1.1\r\nHost: loc");
    assertThat(silent.getInputStream().read()).isEqualTo(-1);
    assertThat(slow.getInputStream().read()).isEqualTo(-1);
    assertThat(get("alice", "/")).contains("200");
  }

  private static HttpLimits shortHeads() {
    return LIMITS.withTimes(Duration.ofMinutes(1), Duration.ofMillis(100), Duration.ofMinutes(1));
  }

  @Test
  void aSecondHeadThatDoesNotComeClosesItsConnection() throws Exception {
    serve(shortHeads(), (_, _) -> ApiResponse.text(200, "ok"));
    Socket socket = send("alice", "GET", "/", "\r\nGET / HTTP/1.1\r\nHost: loc");
    String all = new String(socket.getInputStream().readAllBytes(), UTF_8);
    assertThat(all).startsWith("HTTP/1.1 200").endsWith("ok");
  }

  @Test
  void aHandshakeThatDoesNotComeClosesItsConnection() throws Exception {
    Pki pki = Pki.open(directory, InstantSource.system(), List.of());
    HttpServer secure =
        new HttpServer(InetSocketAddress.createUnresolved("127.0.0.1", 0), shortHeads());
    server = secure;
    secure.start(
        pki.serverContext(),
        new JettyAdapter(
            () -> TestCatalogue.BUILT_IN, (_, _) -> ApiResponse.text(200, "ok"), shortHeads()));
    Socket socket = connect();
    socket.getOutputStream().write(22);
    assertThat(socket.getInputStream().readAllBytes()).hasSizeLessThan(100); // an alert
  }

  @Test
  void atTheLimitTheOldestConnectionsOfWhoeverHasMostMakeRoom() throws Exception {
    HttpLimits few = HttpLimits.of(128 << 20, 40);
    serve(few, (_, _) -> ApiResponse.text(200, "ok"));
    Socket mine = send("alice", "GET", "/", "\r\n");
    assertThat(status(mine)).contains("200");
    List<Socket> many = new ArrayList<>();
    for (int i = 0; i < 3 * few.connections(); i++) {
      many.add(connect());
    }
    assertThat(get("admin", "/")).contains("200");
    assertThat(many.getFirst().getInputStream().read()).isEqualTo(-1);
    write(mine, "GET / HTTP/1.1\r\nHost: localhost\r\nUser: alice\r\n\r\n");
    assertThat(status(mine)).isNotNull();
  }

  @Test
  void connectionsOfManyServiceAccountsAreThoseOfTheirNamespace() throws Exception {
    HttpLimits few = HttpLimits.of(128 << 20, 40);
    serve(few, (_, _) -> ApiResponse.text(200, "ok"));
    List<Socket> mine = new ArrayList<>();
    for (int i = 0; i < few.connections() / 4; i++) {
      mine.add(send("alice", "GET", "/", "\r\n"));
      assertThat(status(mine.getLast())).contains("200");
    }
    for (int i = 0; i < 3 * few.connections(); i++) {
      assertThat(get("system:serviceaccount:team:account-" + i, "/")).contains("200");
    }
    for (Socket socket : mine) {
      write(socket, "GET / HTTP/1.1\r\nHost: localhost\r\nUser: alice\r\n\r\n");
      assertThat(status(socket)).isNotEqualTo("null");
    }
  }

  /** A session that reads, and tells when its client has gone. */
  private record Listening(CompletableFuture<Boolean> gone) implements WebSocketSession {
    @Override
    public void hold(Frames frames, String protocol) throws InterruptedException {
      while (frames.receive() != null) {
        // Its contents do not matter.
      }
      gone.complete(true);
    }
  }

  /** Its connection may stay open for ever, if a proxy holds it. */
  @Test
  void aQuietClientThatAnswersNoMorePingsIsCutOff() throws Exception {
    HttpLimits quick =
        LIMITS.withTimes(Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofMillis(400));
    CompletableFuture<Boolean> gone = new CompletableFuture<>();
    serve(quick, (_, _) -> new ApiResponse.Upgraded("", new Listening(gone)));
    Socket socket =
        send(
            "alice",
            "GET",
            "/",
            String.join(
                "\r\n",
                "Upgrade: websocket",
                "Connection: Upgrade",
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
                "",
                ""));
    InputStream in = socket.getInputStream();
    String head = "";
    while (!head.endsWith("\r\n\r\n")) {
      head += (char) in.read();
    }
    for (int i = 0; i < 3; i++) {
      assertThat(in.readNBytes(2)).as("ping").containsExactly(0x89, 8);
      byte[] pong = ByteBuffer.allocate(14).put((byte) 0x8a).put((byte) 0x88).putInt(0).array();
      System.arraycopy(in.readNBytes(8), 0, pong, 6, 8);
      assertThat(gone).isNotDone();
      socket.getOutputStream().write(pong);
    }
    // More than three if the last answers came late, as on a machine under load.
    assertThat(in.readAllBytes()).as("the unanswered pings").hasSizeGreaterThanOrEqualTo(3 * 10);
    assertThat(gone.get()).isTrue();
  }

  /** A session that waits for a process. */
  private static final class Session implements WebSocketSession {
    final CountDownLatch over;
    final AtomicInteger refused;
    final AtomicInteger virtual;

    Session(CountDownLatch over, AtomicInteger refused, AtomicInteger virtual) {
      this.over = over;
      this.refused = refused;
      this.virtual = virtual;
    }

    @Override
    public boolean isInteractive() {
      return true;
    }

    @Override
    public void onRefused(ApiResponse.Whole instead) {
      refused.incrementAndGet();
    }

    @Override
    public void hold(Frames frames, String protocol) throws InterruptedException {
      virtual.addAndGet(Thread.currentThread().isVirtual() ? 1 : 0);
      over.await();
    }
  }

  @Test
  void sessionsHaveThreadsOfThePlatformAndAreLimited() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    AtomicInteger refused = new AtomicInteger();
    AtomicInteger virtual = new AtomicInteger();
    serve(
        LIMITS,
        (call, _) ->
            call.path().equals("/exec")
                ? new ApiResponse.Upgraded("", new Session(over, refused, virtual))
                : ApiResponse.text(200, "ok"));
    int most = LIMITS.sessions() / 4;
    for (int i = 0; i < most; i++) {
      upgrade("mallory").join();
    }
    assertThat(upgrade("mallory").handle((_, fault) -> code(fault)).join()).isEqualTo(429);
    assertThat(refused).hasValue(1);
    upgrade("alice").join();
    assertThat(get("mallory", "/")).contains("200");
    over.countDown();
    assertThat(virtual).hasValue(0);
  }

  @Test
  void malformedUpgradesKeepNoPlaces() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    serve(
        LIMITS,
        (_, _) ->
            new ApiResponse.Upgraded(
                "", new Session(over, new AtomicInteger(), new AtomicInteger())));
    String head = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
    for (int i = 0; i < 300; i++) {
      assertThat(status(send("alice", "GET", "/exec", head + "\r\n"))).contains("400");
    }
    upgrade("alice").join();
    over.countDown();
  }

  private CompletableFuture<WebSocket> upgrade(String user) {
    int port = server == null ? 0 : server.port();
    HttpClient client = HttpClient.newHttpClient();
    open.add(client::shutdownNow);
    return client
        .newWebSocketBuilder()
        .header("User", user)
        .buildAsync(URI.create("ws://127.0.0.1:" + port + "/exec"), new WebSocket.Listener() {});
  }

  private static int code(Throwable fault) {
    Throwable cause = fault instanceof CompletionException ? fault.getCause() : fault;
    return cause instanceof WebSocketHandshakeException refused
        ? refused.getResponse().statusCode()
        : -1;
  }
}
