package dev.stint.cli.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShellSessionTest {
  private static final Map<String, String> ENVIRONMENT = Map.of("PATH", System.getenv("PATH"));

  @TempDir private Path directory = Path.of("");

  @Test
  void variablesOfABlockAreVisibleToTheNext() throws Exception {
    try (ShellSession shell = new ShellSession(directory, ENVIRONMENT)) {
      assertThat(shell.run("export A=1\nmkdir deep; cd deep\n", false).status()).isZero();
      ShellSession.Outcome outcome = shell.run("echo $A; pwd; echo $HOME; cat\n", false);
      assertThat(shell.printed(outcome.output()))
          .isEqualTo("1\n%s/deep\n~\n".formatted(directory.toRealPath()));
    }
  }

  @Test
  void aFailedCommandEndsItsBlockAndNotTheShell() throws Exception {
    try (ShellSession shell = new ShellSession(directory, ENVIRONMENT)) {
      ShellSession.Outcome outcome = shell.run("echo a\n(exit 7)\necho b\n", false);
      assertThat(outcome.status()).isEqualTo(7);
      assertThat(shell.printed(outcome.output())).isEqualTo("a\n");
      assertThat(shell.run("false || true\nif false; then true; fi\n", false).status()).isZero();
    }
  }

  @Test
  void theLastCommandCountsIfAFailureIsExpected() throws Exception {
    try (ShellSession shell = new ShellSession(directory, ENVIRONMENT)) {
      assertThat(shell.run("false\n(exit 3)\n", true).status()).isEqualTo(3);
      assertThat(shell.run("(exit 3)\ntrue\n", true).status()).isZero();
    }
  }

  @Test
  void backgroundProcessesAreTerminatedWithTheSession() throws Exception {
    try (ShellSession shell = new ShellSession(directory, ENVIRONMENT)) {
      shell.run(
          """
          mkfifo ready
          (trap 'echo ended >ended; exit' TERM; echo $BASHPID >pid; echo >ready; sleep 600 & wait) &
          read -r <ready || true
          """,
          false);
    }
    assertThat(directory.resolve("ended")).hasContent("ended");
    assertThat(ProcessHandle.of(pid())).isEmpty();
  }

  private long pid() throws IOException {
    return Long.parseLong(Files.readString(directory.resolve("pid")).strip());
  }
}
