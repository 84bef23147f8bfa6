package dev.stint.runner.process.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that is the first to run as a container's user, run by itself. */
class EnterScriptTest {
  private static final String RENAMED = "mount --bind \"$0\" /etc/passwd && exec \"$@\"";

  @TempDir private Path dir = Path.of("");

  /** A command's exit status, what it printed, and what the script said about a failure. */
  private record Outcome(int code, String printed, String said) {}

  /**
   * Runs the script as another user.
   *
   * @param prefix the words before it, which change the user
   * @param numbers the numbers that the user and its groups are meant to have
   */
  private Outcome entered(List<String> prefix, String numbers) throws Exception {
    Path said = dir.resolve("said");
    List<String> argv = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" 3>\"$0\""));
    argv.add(said.toString());
    argv.addAll(prefix);
    argv.addAll(List.of("/bin/sh", "-c", ShellScripts.ENTER, ShellScripts.ENTER_NAME));
    argv.addAll(List.of(numbers, "/", "sh", "-c", "pwd; id -u"));
    Process process = new ProcessBuilder(argv).start();
    String printed = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return new Outcome(process.exitValue(), printed, Files.readString(said));
  }

  private static void assumeRoot() throws Exception {
    boolean isRoot = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    assumeTrue(isRoot, "only root changes its user");
  }

  private static List<String> setpriv(String... options) {
    List<String> argv = new ArrayList<>(List.of("setpriv"));
    argv.addAll(List.of(options));
    return argv;
  }

  @Test
  void aUserThatStaysTheSameIsNotChecked() throws Exception {
    Outcome outcome = entered(List.of(), "");
    assertThat(outcome.code()).isZero();
    assertThat(outcome.printed()).startsWith("/\n");
  }

  @Test
  void theUserAndItsGroupsAreThoseThatWereMeant() throws Exception {
    assumeRoot();
    List<String> alone = setpriv("--reuid=200000", "--regid=200001", "--clear-groups");
    assertThat(entered(alone, "200000 200001")).isEqualTo(new Outcome(0, "/\n200000\n", ""));
    List<String> grouped = setpriv("--reuid=200000", "--regid=7", "--groups=9,1,8,2,5,4");
    assertThat(entered(grouped, "200000 7 1 2 4 5 8 9"))
        .isEqualTo(new Outcome(0, "/\n200000\n", ""));
  }

  @Test
  void anotherUserOrGroupFailsTheContainer() throws Exception {
    assumeRoot();
    List<String> prefix = setpriv("--reuid=200000", "--regid=200001", "--groups=3,4");
    for (String meant :
        List.of("0 200001 3 4", "200000 0 3 4", "200000 200001 3", "200000 200001")) {
      assertThat(entered(prefix, meant))
          .isEqualTo(
              new Outcome(
                  126,
                  "",
                  "user and groups are \"200000 200001 3 4\" instead of \""
                      + meant
                      + "\": a name service says so\n"));
    }
  }

  @Test
  void aUserThatChangedOnlyInPartFailsTheContainer() throws Exception {
    assumeRoot();
    List<String> prefix = setpriv("--euid=200000", "--regid=200001", "--clear-groups");
    Outcome outcome = entered(prefix, "0 200001");
    assertThat(outcome.code()).isEqualTo(126);
    assertThat(outcome.said()).startsWith("user and groups are \"0/");
  }

  /** setpriv looks up a number as a name first. */
  @Test
  void aNumberThatIsTheNameOfRootFailsTheContainer() throws Exception {
    assumeRoot();
    Path users = Files.writeString(dir.resolve("passwd"), "200000:x:0:0::/:/bin/sh\n");
    List<String> prefix =
        new ArrayList<>(List.of("unshare", "--mount", "sh", "-c", RENAMED, users.toString()));
    prefix.addAll(setpriv("--reuid=200000", "--regid=200001", "--clear-groups"));
    assertThat(entered(prefix, "200000 200001"))
        .isEqualTo(
            new Outcome(
                126,
                "",
                "user and groups are \"0 200001\" instead of \"200000 200001\": a name service"
                    + " says so\n"));
  }
}
