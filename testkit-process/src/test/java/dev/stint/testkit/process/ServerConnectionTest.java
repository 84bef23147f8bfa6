package dev.stint.testkit.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The test is the control plane here. */
class ServerConnectionTest {
  private final PipedInputStream requests = new PipedInputStream();
  private final PipedOutputStream answers = new PipedOutputStream();
  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
  private final ServerConnection connection;

  ServerConnectionTest() throws IOException {
    connection =
        new ServerConnection(new PipedOutputStream(requests), new PipedInputStream(answers))
            .start(() -> ended.complete(true));
  }

  @Test
  void answersInAnotherOrderFindTheirRequests() throws IOException {
    CompletableFuture<String> first = ask("one");
    int one = request();
    CompletableFuture<String> second = ask("two");
    int two = request();
    answer(two, "ok", "2");
    answer(one, "ok", "1");
    assertThat(first.join()).isEqualTo("1");
    assertThat(second.join()).isEqualTo("2");
  }

  @Test
  void aFaultIsThrown() throws IOException {
    CompletableFuture<String> refused = ask("apply");
    answer(request(), "fault", "java.lang.IllegalArgumentException", "unknown field spec.a");
    assertThatThrownBy(refused::join)
        .hasCauseInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("unknown field spec.a");
  }

  @Test
  void theEndOfTheProcessIsNamed() throws IOException {
    CompletableFuture<String> first = ask("one");
    request();
    answers.close();
    assertThatThrownBy(first::join)
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the control plane's JVM has ended");
    assertThatThrownBy(() -> connection.ask(List.of("two")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the control plane's JVM has ended");
  }

  /** As a debugger or a JVM does that prints to the same standard output. */
  @Test
  void theWordsOfSomebodyElseAreTheEnd() throws IOException {
    CompletableFuture<String> first = ask("one");
    request();
    answers.write("Listening for transport dt_socket".getBytes(UTF_8));
    answers.flush();
    assertThatThrownBy(first::join)
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasRootCauseMessage("something else writes to the control plane's standard output");
    assertThat(ended.join()).isTrue();
    assertThat(connection.hasEnded()).isTrue();
  }

  @Test
  void aRequestThatIsTooLongIsRefusedAndLaterOnesAreNot() throws IOException {
    assertThatThrownBy(() -> connection.ask(Collections.nCopies(1_001, "")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a request has at most 1000 texts, found 1001; split it");
    CompletableFuture<String> next = ask("one");
    answer(request(), "ok", "1");
    assertThat(next.join()).isEqualTo("1");
  }

  private CompletableFuture<String> ask(String verb) {
    return CompletableFuture.supplyAsync(
        () -> connection.ask(List.of(verb)), task -> new Thread(task).start());
  }

  /** Takes a request of one text and returns its number. */
  private int request() throws IOException {
    DataInputStream from = new DataInputStream(requests);
    int number = from.readInt();
    assertThat(from.readInt()).isEqualTo(1);
    from.readNBytes(from.readInt());
    return number;
  }

  private void answer(int number, String... texts) throws IOException {
    DataOutputStream to = new DataOutputStream(answers);
    to.writeInt(0x5374696e);
    to.writeInt(number);
    to.writeInt(texts.length);
    for (String text : texts) {
      to.writeInt(text.length());
      to.writeBytes(text);
    }
    to.flush();
  }
}
