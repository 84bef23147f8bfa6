package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.Logging;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

@Isolated("It changes where this process logs to")
class StintCommandTest {
  @TempDir private Path directory;
  private final Recorded recorded = Recorded.plain();

  @Test
  void printsItsVersionOnStandardOutput() {
    assertThat(recorded.run("version")).isZero();
    assertThat(recorded.out())
        .singleElement()
        .asString()
        .matches("stint \\d+\\.\\d+.* \\(Java 25.*\\)");
    assertThat(recorded.err()).isEmpty();
  }

  @Test
  void listsItsCommands() {
    assertThat(recorded.run("--help")).isZero();
    assertThat(recorded.out()).anyMatch(line -> line.matches(" +validate +\\S.*"));
  }

  @Test
  void explainsACommand() {
    assertThat(recorded.run("help", "validate")).isZero();
    assertThat(recorded.out().getFirst()).startsWith("Usage: stint validate");
  }

  @Test
  void refusesToExplainAnUnknownCommand() {
    assertThat(recorded.run("help", "fly")).isEqualTo(2);
    assertThat(recorded.err())
        .containsExactly(
            "stint: unknown command \"fly\"; the commands are run, up, ls, show, wait, logs, attempts, exec, items, rerun, cronjob, set, suspend, resume, cancel, rm, gc, console, rotate, reencrypt, controller, mirror, validate, simulate, bench, test-assets, init, doctor, config, completion, man, version, help");
  }

  @Test
  void aWordWithAnAtSignIsNoFileOfWords() throws IOException {
    Path file = Files.writeString(directory.resolve("words"), "validate");
    assertThat(recorded.run("help", "@" + file)).isEqualTo(2);
    assertThat(recorded.err().getFirst()).startsWith("stint: unknown command \"@" + file + "\"");
  }

  @Test
  void requiresACommand() {
    assertThat(recorded.run()).isEqualTo(2);
    assertThat(recorded.err())
        .containsExactly("stint: Missing required subcommand; see: stint --help");
  }

  @Test
  void suggestsASimilarCommand() {
    assertThat(recorded.run("versoin")).isEqualTo(2);
    assertThat(recorded.err())
        .singleElement()
        .asString()
        .startsWith("stint: unknown command \"versoin\" (did you mean version");
  }

  @Test
  void saysHowItIsUpgraded() {
    assertThat(recorded.run("upgrade")).isEqualTo(2);
    assertThat(recorded.err())
        .containsExactly(
            "stint: unknown command \"upgrade\"; stint is upgraded and removed the way it was"
                + " installed (docs/upgrading.md); see: stint --help");
  }

  @Test
  void saysWhatIsMissingOrFaulty() {
    assertThat(recorded.run("completion", "csh")).isEqualTo(2);
    assertThat(recorded.run("show")).isEqualTo(2);
    assertThat(recorded.run("run", "--runtime", "jail", "job.yaml")).isEqualTo(2);
    assertThat(recorded.run("run", "job.yaml", "--timeout")).isEqualTo(2);
    assertThat(recorded.run("run", "--runtime", "--fresh", "job.yaml")).isEqualTo(2);
    assertThat(recorded.run("run", "--fast", "job.yaml")).isEqualTo(2);
    assertThat(recorded.err())
        .containsExactly(
            "stint: bash|zsh|fish: \"csh\" is none of bash, zsh, fish; see: stint completion --help",
            "stint: missing JOB; see: stint show --help",
            "stint: Invalid value for option '--runtime': \"jail\" is none of process, container,"
                + " simulated, none; see: stint run --help",
            "stint: --timeout needs a value: DURATION; see: stint run --help",
            "stint: --runtime needs a value: process|container|simulated; see: stint run --help",
            "stint: Unknown option: '--fast' (did you mean --fail-fast?); see: stint run --help");
  }

  @Test
  void printsItsVersionForAFlag() {
    assertThat(recorded.run("--version")).isZero();
    assertThat(recorded.out()).singleElement().asString().startsWith("stint ");
  }

  @Test
  void eachCommandIsSummedUpByAWholeSentence() {
    new StintCommand(recorded.console())
        .all()
        .getSubcommands()
        .forEach((name, command) ->
            assertThat(command.getCommandSpec().usageMessage().description()[0])
                .as(name)
                .matches("[A-Z].*\\.|.*: 0 all.*"));
  }

  @Test
  void missingArgumentsAreReportedInOneLine() {
    assertThat(recorded.run("rerun", "hello")).isEqualTo(2);
    assertThat(recorded.err()).singleElement().asString().startsWith("stint: Missing required");
    Recorded run = Recorded.plain();
    assertThat(run.run("run")).isEqualTo(2);
    assertThat(run.err()).singleElement().asString().contains("name a file with Jobs");
    Recorded each = Recorded.plain();
    assertThat(each.run("run", "--each", "list.txt")).isEqualTo(2);
    assertThat(each.err()).singleElement().asString().contains("the command is missing");
    Recorded none = Recorded.plain();
    assertThat(none.run("attempts", "hello", "--attempt", "0")).isEqualTo(2);
    assertThat(none.err()).singleElement().asString().contains("attempts count from 1");
  }

  @Test
  void reportsAListWhoseNameIsNoPath() {
    assertThat(recorded.run("run", "--each", "gr\0.txt", "--dry-run", "--data=d", "--", "true"))
        .isEqualTo(2);
    assertThat(recorded.err()).singleElement().asString().contains(": cannot be read: ");
  }

  @Test
  void reportsABadFlagInOneLine() {
    assertThat(recorded.run("validate", "--fast", "job.yaml")).isEqualTo(2);
    assertThat(recorded.err())
        .containsExactly("stint: Unknown option: '--fast'; see: stint validate --help");
  }

  @Test
  void reportsAnInternalErrorInOneLineAndLogsTheRest(@TempDir Path home) throws Exception {
    Recorded homed =
        Recorded.of("", Map.of("XDG_DATA_HOME", home.toString()), false, StandardCharsets.UTF_8);
    forgetWhereLogLinesGo();
    int status =
        new ExitStatusMapper(homed.console())
            .reportFailure(new IllegalStateException("it broke\nbadly"));
    Path log = home.resolve("stint/stint.log");
    assertThat(status).isEqualTo(70);
    assertThat(homed.err())
        .containsExactly("stint: internal error: IllegalStateException: it broke; see " + log);
    assertThat(Files.readString(log))
        .contains("badly")
        .contains("at dev.stint.cli.StintCommandTest");
    assertThat(homed.out()).isEmpty();
  }

  @Test
  void lostOutputMakesASuccessAFailureAndLeavesOtherStatuses() {
    ExitStatusMapper faults = new ExitStatusMapper(recorded.console());
    IOException why = new IOException("No space left on device");
    assertThat(faults.reportLostOutput(0, why)).isEqualTo(2);
    assertThat(faults.reportLostOutput(1, why)).isEqualTo(1);
    assertThat(recorded.err())
        .hasSize(2)
        .containsOnly("stint: standard output is incomplete: No space left on device");
  }

  /** Another test in this JVM may have started a command, which sets where logs go. */
  private static void forgetWhereLogLinesGo() throws ReflectiveOperationException {
    Field started = Logging.class.getDeclaredField("started");
    started.setAccessible(true);
    started.setBoolean(null, false);
  }

  @Test
  void logsOnlyWarningsOfItsOwnToTheFile(@TempDir Path home) throws Exception {
    Path log = home.resolve("stint.log");
    Logging.toFile(log);
    LoggerFactory.getLogger("dev.stint.x").info("chatter");
    LoggerFactory.getLogger("dev.stint.x").warn("mind this");
    LoggerFactory.getLogger("org.other").warn("theirs");
    assertThat(Files.readAllLines(log))
        .singleElement()
        .asString()
        .endsWith("WARN  dev.stint.x mind this");
  }

  @Test
  void exitStatusesAreFixed() {
    assertThat(List.of(ExitCode.values()))
        .extracting(ExitCode::status)
        .containsExactly(0, 1, 2, 70, 124, 129, 130, 143);
  }
}
