package dev.stint.kube.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.harness.TestTime;
import dev.stint.kube.http.ScriptedServer.Received;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpTransportTest {
  private static final RestRequest READING = RestRequest.get("version", "application/json");
  private static final RestRequest WRITING =
      new RestRequest(
          "POST",
          "api",
          "application/json",
          new RestRequest.Content("application/json", new byte[0]));

  private final TestTime time = new TestTime();
  private ScriptedServer server;
  private HttpTransport transport;

  @BeforeEach
  void open() throws IOException {
    server = new ScriptedServer();
    transport = transport(config().build());
  }

  @AfterEach
  void close() throws IOException {
    transport.close();
    server.close();
  }

  private ConfigBuilder config() {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl(server.url() + "/prefix")
        .withRequestTimeout(60_000);
  }

  private HttpTransport transport(Config config) {
    return new HttpTransport(config, time);
  }

  private HttpAnswer answered(RestRequest request, String answer) throws IOException {
    server.answers.add(answer);
    return transport.send(request);
  }

  private static String text(HttpAnswer answer) {
    return new String(answer.body(), StandardCharsets.US_ASCII);
  }

  @Test
  void anAnswerHasItsCodeHeadersAndBody() throws Exception {
    HttpAnswer answer =
        answered(
            READING,
            "HTTP/1.1 429 Busy\r\nretry-after: 7\r\nContent-Type: text/plain\r\n"
                + "Content-Length: 4\r\n\r\nwait");
    assertThat(answer.head()).isEqualTo(new AnswerHead(429, "text/plain", "7"));
    assertThat(text(answer)).isEqualTo("wait");
    Received request = server.next();
    assertThat(request.line()).isEqualTo("GET /prefix/version HTTP/1.1");
    assertThat(request.headers())
        .contains("Host: " + server.url().substring("http://".length()), "Accept: application/json")
        .noneMatch(header -> header.startsWith("Content-"));
  }

  @Test
  void anAnswerMayComeInChunks() throws Exception {
    HttpAnswer answer =
        answered(
            READING,
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n");
    assertThat(text(answer)).isEqualTo("abc");
  }

  @Test
  void anAnswerThatBreaksOffIsNone() {
    String whole = "HTTP/1.1 200 OK\r\nX-Kind: Status\r\nContent-Length: 2\r\n\r\n{}";
    for (int length = 1; length < whole.length(); length++) {
      String cut = whole.substring(0, length) + ScriptedServer.CUT;
      assertThatExceptionOfType(IOException.class).as(cut).isThrownBy(() -> answered(WRITING, cut));
    }
  }

  @Test
  void anAnswerMayEndWithItsConnection() throws Exception {
    for (String head : List.of("HTTP/1.1 200 OK\r\nConnection: close", "HTTP/1.0 200 OK")) {
      HttpAnswer answer = answered(READING, head + "\r\n\r\nok" + ScriptedServer.CUT);
      assertThat(text(answer)).isEqualTo("ok");
    }
  }

  @Test
  void aConnectionIsUsedAgain() throws Exception {
    answered(READING, ScriptedServer.EMPTY);
    answered(WRITING, ScriptedServer.EMPTY);
    assertThat(server.next().connection()).isZero();
    assertThat(server.next().connection()).isZero();
  }

  @Test
  void aConnectionThatTheServerWillEndIsNotUsedAgain() throws Exception {
    answered(READING, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    answered(READING, ScriptedServer.EMPTY);
    assertThat(server.next().connection()).isZero();
    assertThat(server.next().connection()).isOne();
  }

  @Test
  void aReadingRequestIsSentAgainIfItsConnectionWasDead() throws Exception {
    answered(READING, ScriptedServer.EMPTY);
    server.answers.add(ScriptedServer.END);
    assertThat(answered(READING, ScriptedServer.EMPTY).head().code()).isEqualTo(200);
    assertThat(server.next().connection()).isZero();
    assertThat(server.next().connection()).isZero();
    assertThat(server.next().connection()).isOne();
  }

  @Test
  void aWritingRequestIsSentOnce() throws Exception {
    answered(READING, ScriptedServer.EMPTY);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> answered(WRITING, ScriptedServer.END));
    answered(WRITING, ScriptedServer.EMPTY);
    assertThat(server.next().connection()).isZero();
    assertThat(server.next().connection()).isZero();
    assertThat(server.next().connection()).isOne();
  }

  @Test
  void aReadingRequestIsNotSentAgainOverANewConnection() throws Exception {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> answered(READING, ScriptedServer.END));
    assertThat(server.requests).hasSize(1);
  }

  @Test
  void aDeadConnectionIsNoticedAfterAWhileBeforeItIsUsed() throws Exception {
    answered(READING, ScriptedServer.EMPTY);
    time.advanceOnceArmed(ConnectionPool.INSPECTION);
    server.connections.getFirst().close();
    answered(WRITING, ScriptedServer.EMPTY);
    assertThat(server.next().connection()).isZero();
    assertThat(server.next().connection()).isOne();
  }

  @Test
  void connectionsThatNobodyUsesAreEnded() throws Exception {
    answered(READING, ScriptedServer.EMPTY);
    pass(19);
    answered(READING, ScriptedServer.EMPTY);
    pass(19);
    assertThat(server.ended).isEmpty();
    pass(1);
    assertThat(server.ended.poll(60, TimeUnit.SECONDS)).isZero();
    assertThat(time.armed()).isZero();
  }

  private void pass(int inspections) {
    for (int i = 0; i < inspections; i++) {
      time.advanceOnceArmed(ConnectionPool.INSPECTION);
    }
  }

  @Test
  void aRequestThatTakesTooLongIsGivenUp() throws Exception {
    CompletableFuture<HttpAnswer> answer = sending(READING);
    server.next();
    pass(40); // A minute.
    assertThat(answer).isNotDone();
    pass(1);
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(() -> answer.get(60, TimeUnit.SECONDS))
        .withMessageContaining("no answer came in time");
    assertThat(server.requests).isEmpty();
  }

  /** The server behind a load balancer may have vanished, without a word to any connection. */
  @Test
  void connectionsThatAreOlderThanASilentOneAreNotUsedAgain() throws Exception {
    List<CompletableFuture<HttpAnswer>> both = List.of(sending(READING), sending(READING));
    server.next();
    server.next();
    server.answers.addAll(List.of(ScriptedServer.EMPTY, ScriptedServer.EMPTY));
    for (CompletableFuture<HttpAnswer> each : both) {
      each.get(60, TimeUnit.SECONDS);
    }
    sending(WRITING);
    int silent = server.next().connection();
    pass(2);
    assertThat(server.ended.poll(60, TimeUnit.SECONDS)).isEqualTo(1 - silent);
    sending(WRITING);
    assertThat(server.next().connection()).isEqualTo(2);
  }

  @Test
  void aStreamMayTakeAnyTime() throws Exception {
    server.answers.add("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n");
    try (HttpStream stream = transport.stream(READING)) {
      stream.open();
      answered(READING, ScriptedServer.EMPTY);
      pass(19);
      assertThat(server.ended).isEmpty();
      pass(1);
      assertThat(server.ended.poll(60, TimeUnit.SECONDS)).isOne();
    }
  }

  /** As a proxy sends 408 to a client that asks nothing. */
  @Test
  void anAnswerThatNobodyAskedForIsNotTakenForTheNextOne() throws Exception {
    answered(READING, ScriptedServer.EMPTY + "HTTP/1.1 408 Slow\r\nContent-Length: 0\r\n\r\n");
    pass(1);
    assertThat(answered(WRITING, ScriptedServer.EMPTY).head().code()).isEqualTo(200);
  }

  @Test
  void anUnknownHostIsNamed() {
    try (HttpTransport lost = transport(config().withMasterUrl("http://no.host.invalid").build())) {
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> lost.send(READING))
          .withMessage("the host no.host.invalid is unknown");
    }
  }

  @Test
  void anAnswerThatIsNotHttpIsAnError() {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> answered(READING, "SSH-2.0-OpenSSH_9.9\r\n".repeat(2000)));
  }

  @Test
  void headsOfAnswersAreBounded() {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> answered(READING, "HTTP/1.1 200 OK\r\nX: " + "x".repeat(40_000)));
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> answered(READING, "HTTP/1.1 200 OK\r\n" + "X: x\r\n".repeat(300)));
  }

  @Test
  void aClosedTransportSendsNothing() {
    transport.close();
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> transport.send(READING))
        .withMessage("the client is closed");
  }

  @Test
  void requestsUnderWayEndWithTheTransport() throws Exception {
    CompletableFuture<HttpAnswer> answer = sending(READING);
    server.next();
    transport.close();
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(() -> answer.get(60, TimeUnit.SECONDS));
  }

  private CompletableFuture<HttpAnswer> sending(RestRequest request) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return transport.send(request);
          } catch (IOException ended) {
            throw new UncheckedIOException(ended);
          }
        },
        Thread::startVirtualThread);
  }

  @Test
  void aStreamIsReadWhileItArrivesAndMayBeClosedByAnyThread() throws Exception {
    server.answers.add("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n");
    HttpStream stream = transport.stream(READING);
    assertThat(stream.open().code()).isEqualTo(200);
    assertThat(stream.read()).asString(StandardCharsets.US_ASCII).isEqualTo("one");
    CompletableFuture<Void> closing =
        CompletableFuture.runAsync(stream::close, Thread::startVirtualThread);
    assertThatExceptionOfType(IOException.class).isThrownBy(stream::read);
    closing.get(60, TimeUnit.SECONDS);
    assertThat(server.ended.poll(60, TimeUnit.SECONDS)).isZero();
  }

  @Test
  void aStreamThatWasClosedBeforeDoesNotOpen() throws Exception {
    HttpStream stream = transport.stream(READING);
    stream.close();
    assertThatExceptionOfType(IOException.class).isThrownBy(stream::open);
    assertThat(server.requests).isEmpty();
  }

  @Test
  void requestsHaveTheCredentialsOfTheConfiguration() throws Exception {
    Config config =
        config()
            .withUsername("jane")
            .withPassword("secret")
            .withImpersonateUsername("bob")
            .withImpersonateGroups("dev", "ops")
            .withUserAgent("stint")
            .build();
    try (HttpTransport named = transport(config)) {
      server.answers.add(ScriptedServer.EMPTY);
      named.send(READING);
      assertThat(server.next().headers())
          .contains(
              "Authorization: Basic amFuZTpzZWNyZXQ=",
              "Impersonate-User: bob",
              "Impersonate-Group: dev",
              "Impersonate-Group: ops",
              "User-Agent: stint");
    }
  }

  @Test
  void withoutTlsAProxyReadsTheRequestsItself() throws Exception {
    Config config =
        config()
            .withMasterUrl("http://api.example:8080")
            .withHttpProxy(server.url())
            .withProxyUsername("u")
            .withProxyPassword("p")
            .build();
    try (HttpTransport behind = transport(config)) {
      server.answers.add(ScriptedServer.EMPTY);
      behind.send(READING);
      Received request = server.next();
      assertThat(request.line()).isEqualTo("GET http://api.example:8080/version HTTP/1.1");
      assertThat(request.headers())
          .contains("Host: api.example:8080", "Proxy-Authorization: Basic dTpw");
    }
  }
}
