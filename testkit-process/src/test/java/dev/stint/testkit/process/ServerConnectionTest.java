package dev.stint.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The test is the control plane here. */
class ServerConnectionTest {
  private final PipedInputStream requests = new PipedInputStream();
  private final PipedOutputStream answers = new PipedOutputStream();
  private final ServerConnection connection;

  ServerConnectionTest() throws IOException {
    connection =
        new ServerConnection(new PipedOutputStream(requests), new PipedInputStream(answers))
            .start();
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

  private CompletableFuture<String> ask(String verb) {
    return CompletableFuture.supplyAsync(() -> connection.ask(List.of(verb)));
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
    to.writeInt(number);
    to.writeInt(texts.length);
    for (String text : texts) {
      to.writeInt(text.length());
      to.writeBytes(text);
    }
    to.flush();
  }
}
