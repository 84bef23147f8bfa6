package dev.stint.runner.process.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that arranges a container's mounts, run by itself. */
class ArrangeScriptTest {
  @TempDir private Path dir = Path.of("");

  /** A command's exit status, and what the script said about a failure. */
  private record Outcome(int code, String said) {}

  /** Runs the script in mounts of its own, with the mounts that it is to make read-only. */
  private Outcome arranged(String readOnly) throws Exception {
    assumeTrue(mayMount(), "needs a namespace of its own for mounts");
    Files.writeString(dir.resolve("env"), "");
    Files.writeString(dir.resolve("readonly"), readOnly);
    Path script = Files.writeString(dir.resolve("arrange.sh"), ShellScripts.ARRANGE);
    Path said = dir.resolve("said");
    String run =
        "mount -t tmpfs none %s && exec sh %s %s mount stat chroot '' true 3>%s"
            .formatted(Files.createDirectory(mounted()), script, dir, said);
    Process process = new ProcessBuilder("unshare", "--mount", "sh", "-c", run).start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return new Outcome(process.exitValue(), Files.readString(said));
  }

  private Path mounted() {
    return dir.resolve("mounted");
  }

  private static boolean mayMount() throws Exception {
    return new ProcessBuilder("unshare", "--mount", "mount", "-o", "remount,bind,ro", "/")
            .start()
            .waitFor()
        == 0;
  }

  /** Another process may unmount something after the runner has listed the machine's mounts. */
  @Test
  void aMountThatIsGoneNeedNotBeReadOnly() throws Exception {
    String gone = "remount,bind,ro " + Files.createDirectory(dir.resolve("gone")) + "\n";
    String there = "remount,bind,ro " + mounted() + "\n";
    assertThat(arranged(gone + there)).isEqualTo(new Outcome(0, ""));
  }

  @Test
  void aMountThatStaysWritableFailsTheContainer() throws Exception {
    Outcome outcome = arranged("remount,size=none " + mounted() + "\n");
    assertThat(outcome.code()).isEqualTo(126);
    assertThat(outcome.said()).startsWith("cannot make read-only: ");
  }
}
