package dev.stint.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.harness.TestTime;
import dev.stint.kube.http.ScriptedServer;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands in containers of an API server that says what the test wants. */
@Timeout(60)
class PodExecTest {
  private static final int SEED = 3;
  private static final ObjectRef POD = new ObjectRef(Kind.POD, "default", "p");
  private static final ExecRequest COMMAND =
      new ExecRequest("main", List.of("sh", "-c", "a & b"), false, false);
  private static final String SUCCESS = "{\"metadata\":{},\"status\":\"Success\"}";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final CompletableFuture<String> told = new CompletableFuture<>();
  private ScriptedServer server;
  private KubeCluster cluster;

  @BeforeEach
  void open() throws IOException {
    server = new ScriptedServer();
    Config config = new ConfigBuilder(Config.empty()).withMasterUrl(server.url()).build();
    cluster = new KubeCluster(config, new TestTime());
  }

  @AfterEach
  void close() throws IOException {
    cluster.close();
    server.close();
  }

  private static String message(int channel, String text) {
    return ScriptedServer.frame(2, (char) channel + text);
  }

  private static String end() {
    return ScriptedServer.frame(8, "");
  }

  private int run(ExecRequest request, InputStream in, String protocol, String... messages) {
    server.answers.add(ScriptedServer.upgraded(SEED, protocol, String.join("", messages)));
    return run(request, new ExecStreams(in, out, err, () -> told.complete("untold")));
  }

  private int run(ExecRequest request, ExecStreams streams) {
    try {
      return cluster.exec(POD, request, streams, new Random(SEED)).join();
    } catch (CompletionException failure) {
      throw (ClusterException) ClusterException.causeOf(failure);
    }
  }

  private int run(String... messages) {
    return run(COMMAND, InputStream.nullInputStream(), "v5.channel.k8s.io", messages);
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }

  @Test
  void eachChannelHasItsStreamAndOutputMayFollowTheOutcome() throws Exception {
    assertThat(
            run(
                message(1, ""),
                message(1, "one "),
                message(2, "oops"),
                message(3, SUCCESS),
                message(7, "?"),
                message(1, "two"),
                end()))
        .isZero();
    assertThat(text(out)).isEqualTo("one two");
    assertThat(text(err)).isEqualTo("oops");
    assertThat(server.next().line())
        .isEqualTo(
            "GET /api/v1/namespaces/default/pods/p/exec?container=main&command=sh&command=-c"
                + "&command=a%20%26%20b&stdout=true&stderr=true HTTP/1.1");
  }

  @Test
  void anyTypeIsAcceptedSinceAKubeletRefusesThoseWhoNameOne() throws Exception {
    assertThat(run(message(3, SUCCESS), end())).isZero();
    assertThat(server.next().headers()).contains("Accept: application/json, */*");
  }

  @Test
  void anOutcomeMayComeInPieces() {
    String outcome = "{\"status\":\"Failure\",\"reason\":\"NonZeroExitCode\",";
    String rest = "\"details\":{\"causes\":[{\"reason\":\"ExitCode\",\"message\":\"7\"}]}}";
    assertThat(run(message(3, outcome), message(3, rest), end())).isEqualTo(7);
  }

  @Test
  void withoutAnOutcomeTheCommandHasNone() {
    assertThatExceptionOfType(ClusterException.class)
        .isThrownBy(() -> run(message(1, "x"), ScriptedServer.frame(8, "\u0003\u00f3gone")))
        .withMessage(
            "the outcome of the command is unknown: the server closed the connection 1011 gone");
    assertThatExceptionOfType(ClusterException.class)
        .isThrownBy(() -> run(message(1, "x"), "\u00ff\u00ff"))
        .withMessageStartingWith("the outcome of the command is unknown: the connection broke: the")
        .withMessageContaining("reserved bits");
  }

  @Test
  void outputThatMayNotBeWholeIsNoSuccess() {
    assertThatExceptionOfType(ClusterException.class)
        .isThrownBy(() -> run(message(3, SUCCESS), message(1, "x"), "\u00ff\u00ff"))
        .withMessageStartingWith("the command has ended, but its output may not be whole: ");
  }

  @Test
  void inputThatCannotBeReadEndsTheCommand() {
    ExecRequest request = new ExecRequest("main", List.of("cat"), true, false);
    InputStream unreadable =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("Is a directory");
          }
        };
    assertThatExceptionOfType(ClusterException.class)
        .isThrownBy(() -> run(request, unreadable, "v5.channel.k8s.io"))
        .withMessage("the standard input cannot be read: Is a directory");
  }

  @Test
  void aRefusalIsThatOfTheApi() {
    for (int code : new int[] {403, 404}) {
      String reason = code == 403 ? "Forbidden" : "NotFound";
      String status =
          "{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"because\",\"reason\":\"%s\"}"
              .formatted(reason);
      server.answers.add(
          "HTTP/1.1 %d No\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(code, status.length(), status));
      assertThatExceptionOfType(ClusterException.class)
          .isThrownBy(() -> run(COMMAND, streamsTo(out)))
          .withMessage("because")
          .satisfies(refusal -> assertThat(refusal.reason().code()).isEqualTo(code));
    }
  }

  @Test
  void aProxyThatKnowsNoWebSocketsIsSuspected() {
    server.answers.add(ScriptedServer.EMPTY);
    assertThatExceptionOfType(ClusterException.class)
        .isThrownBy(() -> run(COMMAND, streamsTo(out)))
        .withMessageContaining("the API answers HTTP 200, but agrees to no WebSocket");
  }

  private static ExecStreams streamsTo(OutputStream out) {
    return new ExecStreams(InputStream.nullInputStream(), out, out, () -> {});
  }

  @Test
  void outputThatNobodyReadsEndsTheCommand() throws IOException {
    server.answers.add(ScriptedServer.upgraded(SEED, "v5.channel.k8s.io", message(1, "x")));
    OutputStream closed = OutputStream.nullOutputStream();
    closed.close();
    assertThatExceptionOfType(ClusterException.class)
        .isThrownBy(() -> run(COMMAND, streamsTo(closed)))
        .withMessageStartingWith("the output of the command cannot be written: ")
        .satisfies(fault -> assertThat(fault.reason()).isEqualTo(Reason.INTERNAL));
  }

  @Test
  void beforeVersionFiveTheEndOfTheInputCannotBeTold() throws Exception {
    ExecRequest request = new ExecRequest("main", List.of("cat"), true, false);
    InputStream in = new ByteArrayInputStream(new byte[] {1});
    server.answers.add(ScriptedServer.upgraded(SEED, "v4.channel.k8s.io", ""));
    ExecStreams streams = new ExecStreams(in, out, err, () -> told.complete("untold"));
    var _ = cluster.exec(POD, request, streams, new Random(SEED));
    assertThat(told.get()).isEqualTo("untold");
    assertThat(server.next().line()).contains("&stdin=true");
  }

  @Test
  void aTerminalHasItsSizeBeforeInputIsReadAndNoErrors() throws Exception {
    ExecRequest request = new ExecRequest("main", List.of("top"), true, true);
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    InputStream in =
        new InputStream() {
          @Override
          public int read() {
            order.add("read");
            return -1;
          }
        };
    ExecTerminal terminal =
        resizing -> {
          resizing.resize(80, 24);
          order.add("open");
        };
    server.answers.add(
        ScriptedServer.upgraded(SEED, "v5.channel.k8s.io", message(3, SUCCESS) + end()));
    assertThat(run(request, new ExecStreams(in, out, err, () -> {}, terminal))).isZero();
    assertThat(order.getFirst()).isEqualTo("open");
    assertThat(server.next().line()).endsWith("&stdin=true&stdout=true&tty=true HTTP/1.1");
  }
}
