package dev.stint.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Enumeration;
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
    assertThat(answerTo(7))
        .containsExactly(
            "fault",
            IllegalStateException.class.getName(),
            "the control plane is closed: its test is over");
  }

  @Test
  void closingTwiceIsNoFault() throws IOException {
    serve(request(7, "close", "gone"));
    assertThat(answerTo(7)).containsExactly("ok", "");
  }

  /** As a deep document may; the class path stands for it here. */
  @Test
  void anErrorIsAnAnswerToo() throws IOException {
    ClassLoader deep =
        new ClassLoader(null) {
          @Override
          public Enumeration<URL> getResources(String name) {
            throw new StackOverflowError();
          }
        };
    byte[] create = request(7, "create", "a", "simulated", "2026-01-01T00:00:00Z", "1", "a/*.yaml");
    new TestkitServer(deep, Runnable::run).serve(input(create), answers);
    assertThat(answerTo(7)).startsWith("fault", StackOverflowError.class.getName());
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
        .serve(input(both), answers);
    tasks.removeLast().run();
    assertThat(answerTo(2)).hasSize(3);
  }

  @Test
  void inputOfSomethingElseIsRefused() {
    assertThatThrownBy(() -> serve(new byte[] {'G', 'E', 'T', ' ', '/', ' ', 'H', 'T'}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected at most 1000");
  }

  /** Its standard input stays open, as if the test went on. */
  @Test
  void theProcessEndsIfItCannotReadItsInput() throws IOException, InterruptedException {
    Process server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                TestkitServer.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    server.getOutputStream().write("GET / HTTP/1.1\r\n".getBytes(UTF_8));
    server.getOutputStream().flush();
    assertThat(server.waitFor()).isEqualTo(1);
  }

  private void serve(byte[] input) throws IOException {
    new TestkitServer(TestkitServerTest.class.getClassLoader(), Runnable::run)
        .serve(input(input), answers);
  }

  private static DataInputStream input(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
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

  private List<String> answerTo(int number) throws IOException {
    DataInputStream answer = answers();
    assertThat(answer.readInt()).isEqualTo(TestkitServer.MAGIC);
    assertThat(answer.readInt()).isEqualTo(number);
    return texts(answer);
  }

  private DataInputStream answers() {
    return input(answers.toByteArray());
  }

  private static List<String> texts(DataInputStream answer) throws IOException {
    List<String> texts = new ArrayList<>();
    for (int left = answer.readInt(); left > 0; left--) {
      texts.add(new String(answer.readNBytes(answer.readInt()), UTF_8));
    }
    return texts;
  }
}
