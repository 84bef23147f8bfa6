package dev.stint.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client gets an answer whatever it sends, and others are served as before.
 *
 * <p>It is slow because only clients by the hundred, and bodies by the megabyte, can do harm.
 */
class MisbehavingClientsTest {
  private static final String JSON = "application/json";
  private static final String YAML = "application/yaml";
  private static final String JSON_PATCH = "application/json-patch+json";
  private static final String MERGE = "application/merge-patch+json";
  private static final String STRATEGIC = "application/strategic-merge-patch+json";
  private static final String APPLY = "application/apply-patch+yaml";
  private static final int LOG_EVENTS = 500;

  /** Apart from the others, which would list all that the slow watcher missed. */
  private static final String SLOW = "slow";

  /** Six times the log, and 24 MB, of which sockets hold a few. */
  private static final int MISSED = 6 * LOG_EVENTS;

  private static final int GIVEN_UP = 400;
  private static final int LARGE_BYTES = 500_000;

  /** Both ends of these are files of this process. */
  private static final int IDLE_CONNECTIONS = 4_000;

  @TempDir private static Path directory;

  @SuppressWarnings("NullAway.Init") // before all tests
  private static Served served;

  @BeforeAll
  static void serve() throws Exception {
    served = new Served(directory, LOG_EVENTS);
  }

  @AfterAll
  static void end() {
    served.close();
  }

  @AfterEach
  void othersAreServed() throws Exception {
    served.servesOthers();
  }

  /**
   * A request that is refused.
   *
   * @param code the answer
   */
  @SuppressWarnings("ArrayRecordComponent") // sent, never compared
  record Bad(String name, int code, String method, String path, String type, byte[] body) {
    Bad(String name, int code, String method, String path, String type, String body) {
      this(name, code, method, path, type, body.getBytes(UTF_8));
    }

    /** Large bodies are sent once: they take time, and no reader of them knows the version. */
    List<HttpClient.Version> versions() {
      return body.length > LARGE_BYTES
          ? List.of(HttpClient.Version.HTTP_2)
          : List.of(HttpClient.Version.values());
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Bad> bodies() {
    byte[] binary =
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"data\":{\"a\":\"??\"}}".getBytes(UTF_8);
    binary[binary.length - 5] = (byte) 0xC3;
    binary[binary.length - 4] = (byte) 0x28;
    return Stream.of(
        create("an empty body", 400, JSON, ""),
        create("half an object", 400, JSON, "{\"apiVersion\":\"v1\",\"metadata\":{"),
        create("no object", 400, JSON, "[1]"),
        create("NULs", 400, JSON, "\0\0\0\0"),
        new Bad("a text that is not UTF-8", 400, "POST", Served.CONFIG_MAPS, JSON, binary),
        create("a number beyond all numbers", 400, JSON, "{\"data\":1e400}"),
        create("a number of a million digits", 400, JSON, "{\"data\":" + "9".repeat(1 << 20) + "}"),
        create("lists in lists", 400, JSON, "[".repeat(1 << 20)),
        create("objects in objects", 400, JSON, "{\"a\":".repeat(500_000)),
        create("lists in lists in YAML", 400, YAML, "[".repeat(1 << 20)),
        create("a million values", 400, JSON, "{\"data\":[" + "0,".repeat(1_550_000) + "0]}"),
        create("aliases of aliases", 400, YAML, bomb()),
        create("lists in lists by an alias", 400, YAML, deepByAlias()),
        create("more than an object may have", 413, JSON, " ".repeat(4 << 20)),
        create("an unknown form", 415, "text/html", "<html/>"),
        new Bad(
            "a million containers",
            400,
            "POST",
            "/apis/batch/v1/namespaces/default/jobs",
            JSON,
            "{\"spec\":{\"template\":{\"spec\":{\"containers\":["
                + "{},".repeat(1_000_000)
                + "{}]}}}}"),
        patch("a million operations", 400, JSON_PATCH, "[" + "{},".repeat(1_000_000) + "{}]"),
        patch("many operations", 413, JSON_PATCH, "[" + "{},".repeat(100_000) + "{}]"),
        patch("no operations", 400, JSON_PATCH, "{}"),
        patch("a doubling patch", 413, JSON_PATCH, doubling()),
        patch("a deep merge", 400, MERGE, nested(100_000)),
        patch("a merge of 500 levels", 400, MERGE, nested(500)),
        patch("a strategic merge of 500 levels", 400, STRATEGIC, nested(500)),
        patch("another name", 400, MERGE, "{\"metadata\":{\"name\":\"other\"}}"),
        new Bad(
            "a manager that cannot be printed",
            422,
            "POST",
            Served.CONFIG_MAPS + "?fieldManager=%01",
            JSON,
            "{\"metadata\":{\"name\":\"new\"}}"),
        new Bad("a merge by force", 422, "PATCH", Served.TARGET + "?force=true", MERGE, "{}"),
        new Bad(
            "an apply to what is gone",
            409,
            "PATCH",
            Served.CONFIG_MAPS + "/gone?fieldManager=me",
            APPLY,
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"uid\":\"x\"}}"),
        new Bad("the end of all namespaces", 405, "DELETE", "/api/v1/namespaces", JSON, ""),
        new Bad("the end of all there is", 405, "DELETE", "/api/v1/configmaps", JSON, ""),
        new Bad(
            "an eviction of another pod",
            400,
            "POST",
            "/api/v1/namespaces/default/pods/one/eviction",
            JSON,
            "{\"metadata\":{\"name\":\"other\"}}"),
        patch("a merge beyond an object's size", 413, MERGE, "\"" + "x".repeat(4 << 20)),
        new Bad(
            "an object too large to apply",
            413,
            "PATCH",
            Served.TARGET + "?fieldManager=me&force=true",
            APPLY,
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"data\":{\"a\":\""
                + "x".repeat(4 << 20)
                + "\"}}"),
        new Bad(
            "an object with many fields to apply",
            413,
            "PATCH",
            Served.TARGET + "?fieldManager=me&force=true",
            APPLY,
            manyFields()));
  }

  private static Bad create(String name, int code, String type, String body) {
    return new Bad(name, code, "POST", Served.CONFIG_MAPS, type, body);
  }

  private static Bad patch(String name, int code, String type, String body) {
    return new Bad(name, code, "PATCH", Served.TARGET, type, body);
  }

  private static String nested(int levels) {
    return "{\"data\":" + "{\"a\":".repeat(levels) + "1" + "}".repeat(levels) + "}";
  }

  private static String bomb() {
    StringBuilder text = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 12; i++) {
      text.append(
          "a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ",").repeat(9) + "*a" + (i - 1)));
    }
    return text.toString();
  }

  private static String deepByAlias() {
    String deep = "[".repeat(300) + "%s" + "]".repeat(300);
    return "a: &a " + deep.formatted("x") + "\nb: " + deep.formatted("*a");
  }

  private static String doubling() {
    StringBuilder text =
        new StringBuilder("[{\"op\":\"add\",\"path\":\"/x0\",\"value\":{\"a\":\"b\"}}");
    for (int i = 1; i < 60; i++) {
      text.append(",{\"op\":\"add\",\"path\":\"/x%d\",\"value\":{}}".formatted(i));
      for (String half : List.of("l", "r")) {
        text.append(
            ",{\"op\":\"copy\",\"from\":\"/x%d\",\"path\":\"/x%d/%s\"}".formatted(i - 1, i, half));
      }
    }
    return text.append("]").toString();
  }

  private static String manyFields() {
    StringBuilder text =
        new StringBuilder("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"data\":{");
    for (int i = 0; i < 150_000; i++) {
      text.append("\"k%d\":\"v\",".formatted(i));
    }
    return text.append("\"last\":\"v\"}}").toString();
  }

  @ParameterizedTest
  @MethodSource("bodies")
  void anInvalidBodyIsRefused(Bad bad) throws Exception {
    for (HttpClient.Version version : bad.versions()) {
      HttpResponse<String> answer =
          served.send(version, bad.method(), bad.path(), bad.type(), bad.body());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(bad.code());
      assertThat(answer.body()).contains("\"kind\":\"Status\"").hasSizeLessThan(10_000);
    }
  }

  /** A header of three-byte characters is larger than its number of characters. */
  @ParameterizedTest
  @ValueSource(strings = {"名前", "😀", "\u009b31m", "\ud800", "é"})
  void warningsAboutFieldsOfAnyNameArrive(String name) throws Exception {
    StringBuilder fields = new StringBuilder("{\"metadata\":{\"name\":\"target\"}");
    for (int i = 0; i < 40; i++) {
      fields.append(",\"%s%d\":1".formatted(name.repeat(30), i));
    }
    byte[] body = fields.append('}').toString().getBytes(UTF_8);
    for (HttpClient.Version version : HttpClient.Version.values()) {
      HttpResponse<String> answer =
          served.send(version, "PUT", Served.TARGET + "?dryRun=All", JSON, body);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(answer.headers().allValues("Warning"))
          .isNotEmpty()
          .noneMatch(warning -> warning.chars().anyMatch(c -> c > 255));
    }
  }

  /** More than all windows and buffers; HttpServerTest has HTTP/1.1 and a hundred megabytes. */
  @Test
  void aLargeBodyIsRefusedOverHttp2WithAndWithoutALength() throws Exception {
    byte[] megabyte = new byte[1 << 20];
    List<byte[]> many = java.util.Collections.nCopies(32, megabyte);
    HttpClient.Version version = HttpClient.Version.HTTP_2;
    refuses(version, BodyPublishers.fromPublisher(BodyPublishers.ofByteArrays(many), 32L << 20));
    refuses(version, BodyPublishers.ofByteArrays(many));
  }

  /** Tables of bodies send large ones over HTTP/2 only. */
  @Test
  void aLargeBodyIsRefusedOverHttp11WithTls() throws Exception {
    refuses(HttpClient.Version.HTTP_1_1, BodyPublishers.ofByteArray(new byte[4 << 20]));
  }

  private static void refuses(HttpClient.Version version, BodyPublisher body) throws Exception {
    assertThat(served.send(version, "POST", Served.CONFIG_MAPS, JSON, body).statusCode())
        .isEqualTo(413);
  }

  @Test
  void aNegativeLimitMeansNoLimit() throws Exception {
    assertThat(get(HttpClient.Version.HTTP_2, Served.CONFIG_MAPS + "?limit=-1")).isEqualTo(200);
  }

  @Test
  void invalidQueriesAreRefused() throws Exception {
    for (HttpClient.Version version : HttpClient.Version.values()) {
      assertThat(get(version, Served.CONFIG_MAPS + "?limit=99999999999999999999")).isEqualTo(400);
      assertThat(get(version, Served.CONFIG_MAPS + "?continue=nonsense")).isEqualTo(400);
      assertThat(get(version, Served.CONFIG_MAPS + "?resourceVersion=x")).isEqualTo(400);
      assertThat(get(version, Served.CONFIG_MAPS + "?labelSelector=" + "a,".repeat(15_000) + "a"))
          .isEqualTo(200);
      assertThat(get(version, Served.CONFIG_MAPS + "?" + "a=b&".repeat(1_000))).isEqualTo(200);
    }
  }

  private static int get(HttpClient.Version version, String path) throws Exception {
    return served.send(version, "GET", path, null, new byte[0]).statusCode();
  }

  @Test
  void aWatchWithoutEndBegins() throws Exception {
    String path = Served.CONFIG_MAPS + "?watch=1&timeoutSeconds=";
    for (String seconds : List.of("99999999999", "9223372036854775807")) {
      try (RawTlsConnection wire = served.connect()) {
        wire.send(served.head("GET", path + seconds) + "\r\n");
        assertThat(wire.line()).isEqualTo("HTTP/1.1 200 OK");
        wire.headers();
        wire.line();
        assertThat(wire.line()).contains("\"ADDED\"", "\"target\"");
      }
    }
  }

  /** An operator that stops does so, and its other requests share the connection. */
  @Test
  void aClientMayGiveUpManyRequestsAtOnce() throws Exception {
    HttpRequest watch = served.request(Served.CONFIG_MAPS + "?watch=1").build();
    HttpClient client = served.client(HttpClient.Version.HTTP_2);
    try {
      InputStream kept = client.send(watch, BodyHandlers.ofInputStream()).body();
      List<InputStream> others = new ArrayList<>();
      for (int i = 0; i < GIVEN_UP; i++) {
        others.add(client.send(watch, BodyHandlers.ofInputStream()).body());
      }
      for (InputStream other : others) {
        other.close();
      }
      assertThat(client.send(watch, BodyHandlers.ofInputStream()).statusCode()).isEqualTo(200);
      assertThat(kept.read()).as("the first watch goes on").isEqualTo('{');
    } finally {
      client.shutdownNow();
    }
  }

  @Test
  void pathsLeadNowhereElse() throws Exception {
    for (String path :
        List.of(
            Served.CONFIG_MAPS + "/../../../../../etc/passwd",
            Served.CONFIG_MAPS + "/%2e%2e/%2e%2e/etc/passwd",
            Served.CONFIG_MAPS + "/a%00b",
            Served.CONFIG_MAPS + "/a%2Fb",
            Served.CONFIG_MAPS + "/a%252Fb",
            Served.CONFIG_MAPS + "/%zz",
            Served.CONFIG_MAPS + "/%C3%28",
            Served.CONFIG_MAPS + "/a;b=c",
            Served.CONFIG_MAPS + "/a\\b",
            "//etc/passwd")) {
      try (RawTlsConnection wire = served.connect()) {
        RawTlsConnection.Answer answer = wire.send(served.head("GET", path) + "\r\n").answer();
        assertThat(answer.code()).as(path).isIn(400, 404);
        assertThat(answer.body()).as(path).doesNotContain("root:", "\tat ", "<html");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense\r\n\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: nonsense\r\n\r\n",
        "\0\0\0\0\r\n\r\n",
      })
  void invalidRequestsAreAnsweredInOneLine(String text) throws Exception {
    try (RawTlsConnection wire = served.connect()) {
      RawTlsConnection.Answer answer = wire.send(text).answer();
      assertThat(answer.code()).isIn(400, 501, 505);
      assertThat(answer.body()).startsWith(answer.code() + " ").hasLineCount(1);
    }
  }

  /** The next request on the connection would fail at random. */
  @ParameterizedTest
  @ValueSource(strings = {"/%FF", "/%C3%28"})
  void aConnectionWithAMalformedRequestEnds(String path) throws Exception {
    try (RawTlsConnection wire = served.connect()) {
      RawTlsConnection.Answer answer = wire.send(served.head("GET", path) + "\r\n").answer();
      assertThat(answer.code()).isEqualTo(400);
      assertThat(answer.headers()).containsEntry("connection", "close");
    }
  }

  @ParameterizedTest
  @MethodSource("hugeHeads")
  void headsThatAreTooLargeAreRefused(String head) throws Exception {
    try (RawTlsConnection wire = served.connect()) {
      wire.sendAsFarAsItIsRead(head)
          .answerIfItCame()
          .ifPresent(answer -> {
            assertThat(answer.code()).isIn(414, 431);
            assertThat(answer.body()).hasLineCount(1);
          });
    }
  }

  /**
   * Two connections once shared a buffer after such a head: bytes of one client stood at the
   * beginning of another's request (decision 116).
   */
  @Test
  void headsThatAreTooLargeReachNoOtherRequest() throws Exception {
    String huge = hugeHeads().findFirst().orElseThrow();
    String request = served.head("GET", Served.TARGET) + "\r\n";
    for (int i = 0; i < 40; i++) {
      try (RawTlsConnection wire = served.connect()) {
        wire.sendAsFarAsItIsRead(huge).answerIfItCame();
      }
      try (RawTlsConnection wire = served.connect()) {
        RawTlsConnection.Answer answer = wire.send(request).answer();
        assertThat(answer.code()).as("after %d heads: %s", i + 1, answer.body()).isEqualTo(200);
      }
    }
  }

  static Stream<String> hugeHeads() {
    return Stream.of(
        served.head("GET", "/version") + "X: " + "x".repeat(100_000),
        served.head("GET", Served.CONFIG_MAPS + "?labelSelector=" + "a".repeat(1 << 20)));
  }

  @Test
  void invalidChunksAreRefused() throws Exception {
    try (RawTlsConnection wire = served.connect()) {
      wire.send(
          served.head("POST", Served.CONFIG_MAPS)
              + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
              + "zz\r\nnonsense\r\n");
      assertThat(wire.answer().code()).isEqualTo(400);
    }
  }

  @Test
  void requestsThatDoNotWaitAreAnsweredInTurn() throws Exception {
    try (RawTlsConnection wire = served.connect()) {
      wire.send((served.head("GET", Served.TARGET) + "\r\n").repeat(200));
      for (int i = 0; i < 200; i++) {
        assertThat(wire.answer().code()).isEqualTo(200);
      }
    }
  }

  @Test
  void idleConnectionsAreHarmless() throws Exception {
    List<AutoCloseable> open = new ArrayList<>();
    try {
      for (int i = 0; i < IDLE_CONNECTIONS; i++) {
        open.add(new Socket(InetAddress.getLoopbackAddress(), served.port()));
      }
      served.servesOthers();
      for (int i = 0; i < 60; i++) {
        open.add(served.connect());
      }
      served.servesOthers();
      for (int i = 0; i < 40; i++) {
        open.add(served.connect().send("GET /version HTTP/1.1\r\nHost: loc"));
      }
      served.servesOthers();
    } finally {
      close(open);
    }
  }

  @Test
  void endlessBodiesAreHarmless() throws Exception {
    List<AutoCloseable> open = new ArrayList<>();
    String head =
        served.head("POST", Served.CONFIG_MAPS)
            + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{";
    try (RawTlsConnection wire = RawTlsConnection.to(served.port(), served.tls, "h2")) {
      for (int i = 0; i < 50; i++) {
        open.add(served.connect().send(head));
      }
      wire.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").send(frame(4, 0, 0));
      for (int stream = 1; stream < 2 * 400; stream += 2) {
        wire.send(frame(1, 4, stream, unsigned(postOfAnObject())));
        wire.send(frame(0, 0, stream, '{'));
      }
      served.servesOthers();
      wire.send(frame(6, 0, 0, new int[8]));
      assertThat(wire.frames().takeWhile(frame -> frame.type() != 6))
          .as("no stream is answered or reset, and the connection goes on")
          .noneMatch(frame -> List.of(1, 3, 7).contains(frame.type()));
    } finally {
      close(open);
    }
  }

  private static void close(List<AutoCloseable> open) throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
  }

  @Test
  void aWatcherThatDoesNotReadIsCutOffAndDelaysNoOther() throws Exception {
    try (RawTlsConnection wire = served.connect()) {
      wire.send(served.head("GET", "/api/v1/namespaces/" + SLOW + "/configmaps?watch=1") + "\r\n");
      assertThat(wire.line()).isEqualTo("HTTP/1.1 200 OK");
      List<CompletableFuture<?>> written = new ArrayList<>();
      String value = "x".repeat(8192);
      for (int i = 0; i < MISSED; i++) {
        written.add(served.cluster().create(Served.configMap(SLOW, "slow-" + i, value)));
      }
      CompletableFuture.allOf(written.toArray(CompletableFuture[]::new)).get(5, TimeUnit.MINUTES);
      String line = wire.line();
      while (!line.contains("\"ERROR\"")) {
        line = wire.line();
      }
      assertThat(line).contains("\"code\":410", "\"reason\":\"Expired\"");
    }
  }

  @Test
  void thousandsOfWatchersReceiveAnEvent() throws Exception {
    int clients = 2;
    int watches = 600;
    String revision = served.cluster().get(target()).get().resourceVersion();
    CountDownLatch begun = new CountDownLatch(clients * watches);
    CountDownLatch heard = new CountDownLatch(clients * watches);
    List<HttpClient> open = new ArrayList<>();
    try {
      for (int c = 0; c < clients; c++) {
        HttpClient client = served.client(HttpClient.Version.HTTP_2);
        open.add(client);
        client.send(served.request("/version").build(), BodyHandlers.discarding());
        for (int w = 0; w < watches; w++) {
          watch(client, begun, heard);
        }
      }
      assertThat(begun.await(2, TimeUnit.MINUTES)).isTrue();
      served.cluster().create(Served.configMap("heard-by-all", revision)).get();
      assertThat(heard.await(2, TimeUnit.MINUTES)).isTrue();
      served.servesOthers();
    } finally {
      open.forEach(HttpClient::shutdownNow);
    }
  }

  private static dev.stint.model.ObjectRef target() {
    return new dev.stint.model.ObjectRef(dev.stint.model.Kind.CONFIG_MAP, "default", "target");
  }

  private static void watch(HttpClient client, CountDownLatch begun, CountDownLatch heard) {
    client
        .sendAsync(
            served
                .request(Served.CONFIG_MAPS + "?watch=1&fieldSelector=metadata.name%3Dheard-by-all")
                .build(),
            BodyHandlers.ofInputStream())
        .thenAccept(answer -> {
          begun.countDown();
          Thread.ofVirtual().start(() -> hear(answer.body(), heard));
        });
  }

  /**
   * Leaves the stream open: many resets at once would end the connection, and all other streams.
   */
  private static void hear(InputStream events, CountDownLatch heard) {
    try {
      if (events.read() == '{') {
        heard.countDown();
      }
    } catch (IOException gone) {
      // It was not notified, and the test waits in vain.
    }
  }

  @Test
  void streamsThatAreResetAtOnceAreHarmless() throws Exception {
    try (RawTlsConnection wire = RawTlsConnection.to(served.port(), served.tls, "h2")) {
      wire.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").send(frame(4, 0, 0));
      try {
        for (int stream = 1; stream < 40_000; stream += 2) {
          wire.send(frame(1, 5, stream, 0x82, 0x87, 0x84, 0x01, 1, 'a'));
          wire.send(frame(3, 0, stream, 0, 0, 0, 8));
        }
      } catch (IOException closed) {
        assertThat(closed).isNotNull();
      }
      served.servesOthers();
    }
  }

  @Test
  void aHeadThatNeverEndsIsCutOff() throws Exception {
    try (RawTlsConnection wire = RawTlsConnection.to(served.port(), served.tls, "h2")) {
      wire.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").send(frame(4, 0, 0));
      wire.send(frame(1, 1, 1, 0x82, 0x87, 0x84, 0x01, 1, 'a'));
      byte[] more = frame(9, 0, 1, new int[16_000]);
      int sent = 0;
      try {
        for (; sent < 100_000; sent++) {
          wire.send(more);
        }
      } catch (IOException closed) {
        served.servesOthers();
      }
      assertThat(sent).isLessThan(100_000);
    }
  }

  /** Some clients process a larger window too late, and then wait with the rest. */
  @Test
  void aClientThatSendsNoMoreThanTheFirstWindowIsGivenMore() throws Exception {
    try (RawTlsConnection wire = RawTlsConnection.to(served.port(), served.tls, "h2")) {
      wire.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").send(frame(4, 0, 0));
      wire.send(frame(1, 4, 1, unsigned(postOfAnObject())));
      for (int left = 65_535; left > 0; left -= 16_384) {
        wire.send(frame(0, 0, 1, new int[Math.min(left, 16_384)]));
      }
      assertThat(wire.frames().anyMatch(frame -> frame.type() == 8 && frame.stream() == 1))
          .isTrue();
    }
  }

  /** A reset may reach the client before it has read its answer. */
  @Test
  void aRefusedRequestIsAnsweredBeforeItsBodyHasComeAndItsStreamIsNotReset() throws Exception {
    try (RawTlsConnection wire = RawTlsConnection.to(served.port(), served.tls, "h2")) {
      wire.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").send(frame(4, 0, 0));
      wire.send(frame(1, 4, 1, unsigned(postOfAnUnknownForm())));
      assertThat(wire.frames().anyMatch(frame -> frame.type() == 1 && frame.stream() == 1))
          .isTrue();
      wire.send(frame(0, 0, 1, new int[1000])).send(frame(0, 1, 1, new int[1000]));
      wire.send(frame(6, 0, 0, new int[8]));
      assertThat(wire.frames().takeWhile(frame -> frame.type() != 6))
          .noneMatch(frame -> frame.type() == 3);
    }
  }

  @Test
  void aRefusedRequestWithALongBodyIsReset() throws Exception {
    try (RawTlsConnection wire = RawTlsConnection.to(served.port(), served.tls, "h2")) {
      wire.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").send(frame(4, 0, 0));
      wire.send(frame(1, 4, 1, unsigned(postOfAnUnknownForm())));
      for (int sent = 0; sent < 80; sent++) {
        wire.send(frame(0, 0, 1, new int[1000]));
      }
      assertThat(wire.frames().anyMatch(frame -> frame.type() == 3 && frame.stream() == 1))
          .isTrue();
    }
  }

  private static byte[] postOfAnObject() {
    ByteArrayOutputStream head = post();
    field(head, "Bearer " + served.token, 0x0f, 0x08);
    field(head, JSON, 0x0f, 0x10);
    return head.toByteArray();
  }

  private static byte[] postOfAnUnknownForm() {
    ByteArrayOutputStream head = post();
    field(head, "text/html", 0x0f, 0x10);
    return head.toByteArray();
  }

  private static ByteArrayOutputStream post() {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    head.writeBytes(new byte[] {(byte) 0x83, (byte) 0x87, 0x01, 1, 'a'});
    field(head, Served.CONFIG_MAPS, 0x04);
    return head;
  }

  @Test
  void bodiesOfRefusedRequestsThatNeverEndHarmNobody() throws Exception {
    int refused = 500;
    try (RawTlsConnection wire = RawTlsConnection.to(served.port(), served.tls, "h2")) {
      wire.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").send(frame(4, 0, 0));
      for (int i = 0; i < refused; i++) {
        int stream = 2 * i + 1;
        wire.send(frame(1, 4, stream, unsigned(postOfAnUnknownForm())));
        wire.send(frame(0, 0, stream, '{'));
      }
      assertThat(wire.frames().filter(frame -> frame.type() == 1).limit(refused)).hasSize(refused);
      served.servesOthers();
    }
  }

  /** A header field whose name is an index, with a literal value. */
  private static void field(ByteArrayOutputStream head, String value, int... name) {
    Arrays.stream(name).forEach(head::write);
    head.write(Math.min(value.length(), 127));
    int more = value.length() - 127;
    for (; more >= 128; more >>= 7) {
      head.write(more & 127 | 128);
    }
    if (more >= 0) {
      head.write(more);
    }
    head.writeBytes(value.getBytes(UTF_8));
  }

  private static int[] unsigned(byte[] bytes) {
    int[] numbers = new int[bytes.length];
    Arrays.setAll(numbers, i -> bytes[i] & 0xFF);
    return numbers;
  }

  private static byte[] frame(int type, int flags, int stream, int... payload) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(payload.length >> 16);
    frame.write(payload.length >> 8);
    frame.write(payload.length);
    frame.write(type);
    frame.write(flags);
    frame.writeBytes(ByteBuffer.allocate(4).putInt(stream).array());
    Arrays.stream(payload).forEach(frame::write);
    return frame.toByteArray();
  }
}
