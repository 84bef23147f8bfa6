package dev.stint.apiserver.http.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.http.WebSocketSession;
import dev.stint.apiserver.pods.PodProcess;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RemoteCommandTest {
  private static final RemoteCommand.Streams ALL = new RemoteCommand.Streams(true, true, true);
  private static final RemoteCommand.Streams OUTPUT = new RemoteCommand.Streams(false, true, true);

  private final Client client = new Client();

  /** The messages that a client sends and receives; the first character of each is its channel. */
  private static final class Client implements WebSocketSession.Frames {
    final BlockingQueue<Optional<byte[]>> sent = new LinkedBlockingQueue<>();
    final List<String> got = new CopyOnWriteArrayList<>();
    final List<Runnable> tasks = new CopyOnWriteArrayList<>();

    void say(int channel, String text) {
      byte[] bytes = (" " + text).getBytes(StandardCharsets.ISO_8859_1);
      bytes[0] = (byte) channel;
      sent.add(Optional.of(bytes));
    }

    void leave() {
      sent.add(Optional.empty());
      tasks.forEach(Runnable::run);
    }

    @Override
    public void send(byte[] message) {
      got.add(
          message[0] + ":" + new String(message, 1, message.length - 1, StandardCharsets.UTF_8));
    }

    @Override
    public void sendText(String message) {
      got.add(message);
    }

    @Override
    public byte @Nullable [] receive() throws InterruptedException {
      return sent.take().orElse(null);
    }

    @Override
    public void onClose(Runnable task) {
      tasks.add(task);
    }
  }

  /** A process that records the calls that it gets, and ends when its input ends. */
  private static class Noted implements PodProcess {
    final List<String> notes = new CopyOnWriteArrayList<>();
    final CompletableFuture<Integer> exit = new CompletableFuture<>();
    final int code;

    Noted(int code) {
      this.code = code;
    }

    @Override
    public InputStream stdout() {
      return new ByteArrayInputStream("out".getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public InputStream stderr() {
      return new ByteArrayInputStream("err".getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void write(byte[] input) {
      notes.add("input " + new String(input, StandardCharsets.UTF_8));
    }

    @Override
    public void endInput() {
      notes.add("end");
      exit.complete(code);
    }

    @Override
    public void resize(int columns, int rows) {
      notes.add(columns + "x" + rows);
    }

    @Override
    public CompletableFuture<Integer> exitCode() {
      return exit;
    }

    @Override
    public void close() {
      notes.add("closed");
      exit.complete(137);
    }
  }

  @Test
  void whatIsPrintedAndTheOutcomeComeOnChannelsOfTheirOwn() throws Exception {
    new RemoteCommand(() -> new Noted(0), OUTPUT).hold(client, "v5.channel.k8s.io");
    assertThat(client.got)
        .containsExactlyInAnyOrder("1:out", "2:err", "3:{\"metadata\":{},\"status\":\"Success\"}");
  }

  @Test
  void anExitCodeIsToldAsKubectlReadsIt() throws Exception {
    new RemoteCommand(() -> new Noted(3), OUTPUT).hold(client, "v5.channel.k8s.io");
    assertThat(client.got.getLast())
        .isEqualTo(
            "3:{\"metadata\":{},\"status\":\"Failure\",\"message\":\"command terminated with"
                + " non-zero exit code: exit code 3\",\"reason\":\"NonZeroExitCode\",\"details\":"
                + "{\"causes\":[{\"reason\":\"ExitCode\",\"message\":\"3\"}]}}");
  }

  @Test
  void inputAndSizesReachTheProcessUntilTheClientEndsItsInput() throws Exception {
    Noted process = new Noted(0);
    client.say(0, "hello");
    client.say(4, "{\"Width\":80,\"Height\":24}");
    client.say(4, "nonsense");
    client.say(255, "\0");
    new RemoteCommand(() -> process, ALL).hold(client, "v5.channel.k8s.io");
    assertThat(process.notes).containsExactly("input hello", "80x24", "end", "closed");
  }

  @Test
  void inputThatWasNotAskedForIsIgnored() throws Exception {
    Noted process = new Noted(0);
    client.say(0, "hello");
    new RemoteCommand(() -> process, OUTPUT).hold(client, "v4.channel.k8s.io");
    assertThat(process.notes).containsExactly("end", "closed");
  }

  @Test
  void aProcessEndsWithItsClient() throws Exception {
    Noted process = new Noted(0);
    Thread talk =
        Thread.ofVirtual()
            .start(() -> {
              try {
                new RemoteCommand(() -> process, ALL).hold(client, "v5.channel.k8s.io");
              } catch (Exception fault) {
                throw new AssertionError(fault);
              }
            });
    while (client.tasks.isEmpty()) {
      Thread.onSpinWait();
    }
    client.leave();
    talk.join();
    assertThat(process.notes).startsWith("closed");
  }

  @Test
  void whatCannotBeStartedIsToldOverTheConnection() throws Exception {
    RemoteCommand command =
        new RemoteCommand(
            () -> {
              throw new ClusterException(Reason.INTERNAL, "no such program");
            },
            OUTPUT);
    command.hold(client, "v5.channel.k8s.io");
    assertThat(client.got).hasSize(1);
    assertThat(client.got.getFirst()).startsWith("3:").contains("no such program");
  }

  @Test
  void beforeVersionFourTheErrorChannelSaysWhyAndNothingOfASuccess() throws Exception {
    for (String protocol :
        List.of("", "channel.k8s.io", "v2.channel.k8s.io", "v3.channel.k8s.io")) {
      client.got.clear();
      new RemoteCommand(() -> new Noted(0), OUTPUT).hold(client, protocol);
      assertThat(client.got).containsExactlyInAnyOrder("1:", "1:out", "2:err");
      new RemoteCommand(() -> new Noted(3), OUTPUT).hold(client, protocol);
      assertThat(client.got.getLast())
          .isEqualTo("3:command terminated with non-zero exit code: exit code 3");
    }
  }

  @Test
  void fromVersionFourOnTheErrorChannelHasAStatusAndBeforeFiveAnEmptyMessageComesFirst()
      throws Exception {
    new RemoteCommand(() -> new Noted(0), OUTPUT).hold(client, "v4.channel.k8s.io");
    assertThat(client.got.getFirst()).isEqualTo("1:");
    assertThat(client.got.getLast()).isEqualTo("3:{\"metadata\":{},\"status\":\"Success\"}");
  }

  @Test
  void inBase64MessagesAreTextAndTheirChannelIsADigit() throws Exception {
    Noted process =
        new Noted(0) {
          @Override
          public void write(byte[] input) {
            super.write(input);
            exit.complete(4);
          }
        };
    client.sent.add(Optional.of("0?".getBytes(StandardCharsets.UTF_8)));
    client.sent.add(Optional.of("0aGVsbG8=".getBytes(StandardCharsets.UTF_8)));
    new RemoteCommand(() -> process, ALL).hold(client, "base64.channel.k8s.io");
    assertThat(process.notes).containsExactly("input hello", "closed");
    assertThat(client.got).startsWith("1").contains("1b3V0", "2ZXJy");
    assertThat(client.got.getLast()).startsWith("3");
  }

  @Test
  void onlyVersionFiveClosesTheInputAlone() throws Exception {
    Noted process =
        new Noted(0) {
          @Override
          public void write(byte[] input) {
            super.write(input);
            exit.complete(0);
          }
        };
    client.say(255, "\0");
    client.say(0, "more");
    new RemoteCommand(() -> process, ALL).hold(client, "v4.channel.k8s.io");
    assertThat(process.notes).containsExactly("input more", "closed");
  }

  @Test
  void outputThatIsNotAskedForIsNotSent() throws Exception {
    RemoteCommand.Streams errors = new RemoteCommand.Streams(false, false, true);
    new RemoteCommand(() -> new Noted(0), errors).hold(client, "channel.k8s.io");
    assertThat(client.got).containsExactly("2:", "2:err");
  }
}
