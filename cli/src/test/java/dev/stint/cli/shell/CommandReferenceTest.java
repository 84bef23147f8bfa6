package dev.stint.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.Recorded;
import dev.stint.cli.StintCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The reference that is derived from the parser's model; docs/commands.md agrees with it. */
class CommandReferenceTest {
  private static final String BEGIN =
      """
      <!-- From here on written by CommandReferenceTest, in a format of its own. -->

      <!-- prettier-ignore-start -->
      """;

  private static final String END = "\n<!-- prettier-ignore-end -->\n";

  private final CommandLine stint = new StintCommand(Recorded.plain().console()).all();

  private static Path page() {
    Path here = Path.of("").toAbsolutePath();
    Path root =
        Files.isDirectory(here.resolve("docs"))
            ? here
            : Objects.requireNonNull(here.getParent(), "the module lies in the project");
    return root.resolve("docs/commands.md");
  }

  /** Breaks lines of prose at 100 columns; tables and examples keep theirs. */
  private static String wrapped(String page) {
    StringBuilder wrapped = new StringBuilder();
    boolean inExample = false;
    for (String line : page.lines().toList()) {
      inExample ^= line.startsWith("```");
      boolean isProse = !inExample && !line.startsWith("|");
      String broken = line.replaceAll("(.{1,100})(?: |$)", "$1\n").stripTrailing();
      wrapped.append(isProse ? broken : line).append("\n");
    }
    return wrapped.toString();
  }

  @Test
  void theCommandReferenceIsInStepWithTheCommands() throws Exception {
    String found = Files.readString(page());
    String wanted =
        found.substring(0, found.indexOf(BEGIN) + BEGIN.length())
            + wrapped(CommandReference.markdown(stint))
            + END;
    if (Boolean.getBoolean("stint.write.docs")) {
      Files.writeString(page(), wanted);
    }
    assertThat(Files.readString(page()))
        .as(
            "docs/commands.md is out of step; write it with -Dtest=CommandReferenceTest -Dstint.write.docs=true")
        .isEqualTo(wanted);
  }

  @Test
  void everyCommandAndFlagHasADescription() {
    stint
        .getSubcommands()
        .forEach((name, command) -> {
          assertThat(CommandReference.summary(command)).as(name).isNotBlank().doesNotContain("${");
          assertThat(command.getCommandSpec().options())
              .allSatisfy(option ->
                  assertThat(CommandReference.text(option)).as(name + option).isNotBlank());
        });
  }

  @Test
  void theManPageHasEveryCommand() {
    Recorded man = Recorded.plain();
    assertThat(man.run("man")).isZero();
    assertThat(man.out().getFirst()).startsWith(".TH STINT 1");
    assertThat(man.out())
        .contains(".SS stint rerun [flags] JOB (\\-\\-failed | \\-\\-indexes=LIST)")
        .contains(".SS stint gc [flags] \\-\\-older\\-than=DURATION")
        .contains("\\fB124\\fR");
  }

  @Test
  void completionKnowsEveryCommandAndItsFlags() {
    Recorded fish = Recorded.plain();
    assertThat(fish.run("completion", "fish")).isZero();
    Set<String> commands = stint.getSubcommands().keySet();
    for (String command : commands) {
      assertThat(fish.out())
          .anyMatch(line ->
              line.startsWith("complete -c stint -n __fish_use_subcommand -a " + command + " "));
    }
    assertThat(fish.out()).anyMatch(line -> line.contains("from logs' -s f -l follow -d "));
  }

  @Test
  void bashCanReadItsCompletion(@TempDir Path scratch) throws Exception {
    Recorded bash = Recorded.plain();
    assertThat(bash.run("completion", "bash")).isZero();
    Path script = Files.write(scratch.resolve("stint.bash"), bash.out());
    Process check = new ProcessBuilder("bash", "-n", script.toString()).inheritIO().start();
    assertThat(check.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(check.exitValue()).isZero();
    assertThat(bash.out()).anyMatch(line -> line.contains("--older-than"));
    assertThat(List.of(CompletionCommand.Shell.values())).hasSize(3);
  }
}
