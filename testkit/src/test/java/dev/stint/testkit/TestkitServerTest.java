package dev.stint.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The parts of the protocol that need no control plane; testkit-process tests the others. */
class TestkitServerTest {
  private final ByteArrayOutputStream answers = new ByteArrayOutputStream();

  @Test
  void theEndOfInputIsTheEnd() throws IOException {
    serve(new byte[0]);
    assertThat(answers.size()).isZero();
  }

  @Test
  void aRequestThatBreaksOffIsTheEndToo() throws IOException {
    serve(new byte[] {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 5, 'c'});
    assertThat(answers.size()).isZero();
  }

  @Test
  void aTestThatIsOverIsNamedAsTheCause() throws IOException {
    serve(request(7, "advance", "gone", "PT1S"));
    DataInputStream answer = answers();
    assertThat(answer.readInt()).isEqualTo(7);
    assertThat(texts(answer))
        .containsExactly(
            "fault",
            IllegalStateException.class.getName(),
            "the control plane is closed: its test is over");
  }

  /** The first request takes long here, as an advance may. */
  @Test
  void aRequestDoesNotWaitForTheOneBefore() throws IOException {
    byte[] first = request(1, "settle", "gone");
    byte[] second = request(2, "settle", "gone");
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    Deque<Runnable> tasks = new ArrayDeque<>();
    new TestkitServer(TestkitServerTest.class.getClassLoader(), tasks::add)
        .serve(new ByteArrayInputStream(both), answers);
    tasks.removeLast().run();
    assertThat(answers().readInt()).isEqualTo(2);
  }

  @Test
  void inputOfSomethingElseIsRefused() {
    assertThatThrownBy(() -> serve(new byte[] {'G', 'E', 'T', ' ', '/', ' ', 'H', 'T'}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected at most 1000");
  }

  private void serve(byte[] input) throws IOException {
    new TestkitServer(TestkitServerTest.class.getClassLoader(), Runnable::run)
        .serve(new ByteArrayInputStream(input), answers);
  }

  private static byte[] request(int number, String... texts) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream request = new DataOutputStream(bytes);
    request.writeInt(number);
    request.writeInt(texts.length);
    for (String text : texts) {
      request.writeInt(text.length());
      request.writeBytes(text);
    }
    return bytes.toByteArray();
  }

  private DataInputStream answers() {
    return new DataInputStream(new ByteArrayInputStream(answers.toByteArray()));
  }

  private static List<String> texts(DataInputStream answer) throws IOException {
    List<String> texts = new ArrayList<>();
    for (int left = answer.readInt(); left > 0; left--) {
      texts.add(new String(answer.readNBytes(answer.readInt()), UTF_8));
    }
    return texts;
  }
}
