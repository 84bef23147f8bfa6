package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Completion in a real zsh and a real fish, where they are installed. */
class ShellCompletionTest {
  private static final String STINT =
      "#!/bin/sh\nprintf 'job.batch/%s\\n' alpha beta alpine 'be$(x)' 'be*(e:x:)'\n";

  /**
   * Types into a zsh of its own, by a terminal, and prints its line after the tab key. A key that
   * prints the line ends each wait.
   */
  private static final String ZSH =
      """
      zmodload zsh/zpty
      zpty -b inner zsh -f -i
      zpty -w inner 'PS1="%(?.REA.X)DY> "'
      zpty -r inner seen '*READY> *'
      zpty -w inner 'fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; INSTALL; unsetopt beep; PS1="%(?.NEX.X)T> "'
      zpty -w inner 'shown() { print -r -- "<$BUFFER>"; BUFFER= }; zle -N shown; bindkey "^X" shown'
      zpty -w inner 'PS1="%(?.STA.X)RT> "'
      zpty -r inner seen '*START> *'
      for typed in "$@"; do
        zpty -w -n inner "$typed"$'\\t\\C-x'
        zpty -r inner seen '*<stint *>*'
        seen=${seen##*<}
        print -r -- "${seen%%>*}"
      done
      zpty -d inner
      """;

  @TempDir private static Path directory = Path.of("");

  @BeforeAll
  static void install() throws IOException {
    for (String shell : List.of("zsh", "fish")) {
      Recorded script = Recorded.plain();
      assertThat(script.run("completion", shell)).isZero();
      Files.write(directory.resolve("stint." + shell), script.out());
    }
    Files.copy(directory.resolve("stint.zsh"), directory.resolve("_stint"));
    Path stint = Files.writeString(directory.resolve("stint"), STINT);
    Files.setPosixFilePermissions(stint, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static List<String> printed(String... command) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().merge("PATH", directory.toString(), (path, own) -> own + ":" + path);
    builder.environment().put("HOME", directory.toString());
    builder.environment().put("TERM", "xterm");
    Process shell = builder.start();
    shell.getOutputStream().close();
    List<String> lines = shell.inputReader().lines().toList();
    shell.waitFor();
    return lines;
  }

  /** Returns the choices of fish for a line. */
  private static List<String> fish(String line) throws Exception {
    String script = "source stint.fish; complete -C '" + line + "' | string replace -r '\\t.*' ''";
    return printed("fish", "--no-config", "-c", script);
  }

  /** Returns the lines of a zsh after the tab key, with the script read by a command. */
  private static List<String> zsh(String install, String... lines) throws Exception {
    Path script = Files.writeString(directory.resolve("type.zsh"), ZSH.replace("INSTALL", install));
    return printed(
        Stream.concat(Stream.of("zsh", "-f", script.toString()), Stream.of(lines))
            .toArray(String[]::new));
  }

  private static void assumeInstalled(String shell) {
    assumeTrue(
        Stream.of("/usr/bin", "/bin", "/usr/local/bin")
            .anyMatch(dir -> Files.isExecutable(Path.of(dir, shell))));
  }

  @Test
  void fishCompletesCommandsFlagsValuesAndJobs() throws Exception {
    assumeInstalled("fish");
    assertThat(fish("stint res")).containsExactly("resume");
    assertThat(fish("stint doc")).containsExactly("doctor");
    assertThat(fish("stint show ")).contains("alpha", "alpine", "beta");
    assertThat(fish("stint show --data ~/d be")).containsExactly("beta");
    assertThat(fish("stint ls -o ")).containsExactlyInAnyOrder("text", "json", "yaml", "name");
    assertThat(fish("stint rerun --fa")).containsExactly("--failed");
    assertThat(fish("stint config reru")).containsExactly("rerun");
    assertThat(fish("stint init --template succ")).containsExactly("success-policy");
  }

  @Test
  void zshCompletesCommandsFlagsValuesAndJobs() throws Exception {
    assumeInstalled("zsh");
    assertThat(
            zsh(
                "source stint.zsh",
                "stint res",
                "stint doc",
                "stint show be",
                "stint show al",
                "stint logs --data d be",
                "stint run --runtime pro",
                "stint rerun --fa",
                "stint config reru",
                "stint init --template succ"))
        .extracting(String::strip)
        .containsExactly(
            "stint resume",
            "stint doctor",
            "stint show beta",
            "stint show alp",
            "stint logs --data d beta",
            "stint run --runtime process",
            "stint rerun --failed",
            "stint config rerun",
            "stint init --template success-policy");
  }

  @Test
  void zshFindsTheInstalledScriptByItsName() throws Exception {
    assumeInstalled("zsh");
    assertThat(zsh(":", "stint doc", "stint show be"))
        .extracting(String::strip)
        .containsExactly("stint doctor", "stint show beta");
  }
}
