package dev.stint.testkit.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerProcessTest {
  /** The test's JVM in this test: it starts the control plane's, and waits to be killed. */
  static final class Killed {
    private Killed() {}

    public static void main(String[] args) throws IOException {
      try {
        ServerProcess.connect().ask(List.of("settle", "nothing"));
      } catch (IllegalStateException answer) {
        System.out.println(answer.getMessage());
      }
      System.in.read();
    }
  }

  /**
   * Both processes write to one pipe, which ends when the last of them does. The lines of a log
   * that the environment asks for do not get among the answers.
   */
  @Test
  void theProcessEndsWithATestThatIsKilled() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dstint.testkit.server=" + System.getProperty("stint.testkit.server"),
            "-cp",
            System.getProperty("java.class.path"),
            Killed.class.getName());
    builder.environment().put("JAVA_TOOL_OPTIONS", "-Xlog:gc+init:stdout");
    Process killed = builder.start();
    try (var answers = killed.inputReader(UTF_8)) {
      assertThat(answers.lines().filter(line -> !line.startsWith("[")).findFirst())
          .contains("the control plane is closed: its test is over");
    } finally {
      killed.toHandle().destroyForcibly();
    }
    killed.getErrorStream().transferTo(OutputStream.nullOutputStream());
  }
}
