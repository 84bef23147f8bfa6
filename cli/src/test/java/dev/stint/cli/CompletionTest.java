package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.shell.CompletionCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completions of a real bash with the script, and a {@code stint} that records its calls. */
class CompletionTest {
  private static final String STINT =
      """
      #!/bin/sh
      echo "$STINT_BUILD $*" >>"$NOTES"
      [ ! -e "$NOTES.broken" ] || { echo "stint: not today" >&2; exit 2; }
      [ ! -e "$NOTES.hostile" ] || cat "$NOTES.hostile"
      printf 'job.batch/%s\n' alpha beta alpine
      """;

  @TempDir private static Path directory = Path.of("");
  private Path notes = Path.of("");

  @BeforeAll
  static void install() throws IOException {
    Recorded bash = Recorded.plain();
    assertThat(bash.run("completion", "bash")).isZero();
    Files.write(directory.resolve("stint.bash"), bash.out());
    Path stint = Files.writeString(directory.resolve("stint"), STINT);
    Files.setPosixFilePermissions(stint, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @BeforeEach
  void forget(@TempDir Path scratch) {
    notes = scratch.resolve("notes");
  }

  /** Returns the choices after the tab key is pressed at the end of these words. */
  private List<String> completed(String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of(directory.resolve("stint").toString()));
    all.addAll(List.of(words));
    String line =
        all.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" ", "(", ")"));
    String script =
        """
        source '%s'
        COMP_WORDS=%s
        COMP_CWORD=%d
        _stint 2>&1 | grep -v 'compopt: not currently'
        _stint 2>/dev/null
        printf '%%s\n' "${COMPREPLY[@]}"
        """
            .formatted(directory.resolve("stint.bash"), line, words.length);
    ProcessBuilder builder = new ProcessBuilder("bash", "-c", script).redirectErrorStream(true);
    builder.environment().put("NOTES", notes.toString());
    builder.environment().put("HOME", "/home/me");
    Process bash = builder.start();
    List<String> lines = bash.inputReader().lines().filter(each -> !each.isEmpty()).toList();
    bash.waitFor();
    return lines;
  }

  private List<String> asked() throws IOException {
    return Files.exists(notes) ? Files.readAllLines(notes).stream().distinct().toList() : List.of();
  }

  @Test
  void runtimesAreThoseOfTheCommand() throws Exception {
    assertThat(completed("run", "--runtime", ""))
        .containsExactly("process", "container", "simulated");
    assertThat(completed("bench", "--runtime", "")).containsExactly("simulated", "process");
    assertThat(completed("up", "--runtime", ""))
        .containsExactly("process", "container", "simulated", "none");
  }

  @Test
  void jobNamesComeFromLs() throws Exception {
    for (String command :
        "show wait logs attempts exec items rerun set suspend resume cancel rm".split(" ", -1)) {
      assertThat(completed(command, "")).as(command).containsExactly("alpha", "beta", "alpine");
    }
    assertThat(completed("wait", "beta", "al")).containsExactly("alpha", "alpine");
    assertThat(asked()).containsExactly("no ls -o name");
  }

  @Test
  void jobNamesAreReadFromThePlaceThatTheFlagsName() throws Exception {
    assertThat(completed("show", "--data", "~/d", "-n", "ci", "-o", "json", "be"))
        .containsExactly("beta");
    assertThat(completed("logs", "--kubeconfig", "=", "k", "-f", "be")).containsExactly("beta");
    assertThat(completed("logs", "--kubeconfig=~/k", "--context=c", "be")).containsExactly("beta");
    assertThat(asked())
        .containsExactly(
            "no ls -o name --data /home/me/d -n ci",
            "no ls -o name --kubeconfig k",
            "no ls -o name --kubeconfig=/home/me/k --context=c");
  }

  @Test
  void aFailureCompletesNothing() throws Exception {
    Files.createFile(notes.resolveSibling("notes.broken"));
    assertThat(completed("show", "")).isEmpty();
    assertThat(asked()).containsExactly("no ls -o name");
  }

  /** The names come from a server, which may be anybody's. */
  @Test
  void noNameOfAServerIsExpanded() throws Exception {
    Files.writeString(
        notes.resolveSibling("notes.hostile"),
        """
        job.batch/$(touch${IFS}$NOTES.run)
        job.batch/`touch $NOTES.run`
        job.batch/$HOME
        job.batch/*
        job.batch/a;b
        job.batch/ALPHA
        job.batch/
        job.batch/a/b
        job.batch/a-1.b
        """);
    assertThat(completed("show", "")).containsExactly("a-1.b", "alpha", "beta", "alpine");
    assertThat(notes.resolveSibling("notes.run")).doesNotExist();
  }

  @Test
  void fixedWordsNeedNoCall() throws Exception {
    assertThat(completed("res")).containsExactly("resume");
    assertThat(completed("help", "re")).containsExactly("rerun", "resume", "reencrypt");
    assertThat(completed("ls", "-o", "")).containsExactly("text", "json", "yaml", "name");
    assertThat(completed("ls", "--output", "=")).containsExactly("text", "json", "yaml", "name");
    assertThat(completed("show", "--output", "=", "j")).containsExactly("json");
    assertThat(completed("completion", "")).containsExactly("bash", "zsh", "fish");
    assertThat(completed("rerun", "--fa")).containsExactly("--failed");
    assertThat(completed("run", "--runtime", "pro")).containsExactly("process");
    assertThat(asked()).isEmpty();
  }

  @Test
  void fishMakesTheSameCalls() {
    Recorded fish = Recorded.plain();
    assertThat(fish.run("completion", "fish")).isZero();
    assertThat(fish.out())
        .anySatisfy(line -> assertThat(line).contains("$program ls -o name $flags"))
        .contains(
            "complete -c stint -n '__fish_seen_subcommand_from"
                + " show wait logs attempts exec items rerun set suspend resume cancel rm' -f -a '(__stint_jobs)'")
        .noneMatch(line -> line.contains("@"));
    assertThat(Arrays.asList(CompletionCommand.Shell.values())).hasSize(3);
  }
}
