package dev.stint.runner.process.shim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogStream;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Posix;
import dev.stint.runner.process.user.Surroundings;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
public class ShimsTest {
  private static final Surroundings OWN =
      Surroundings.ofThisProcess(Map.of("PATH", "/usr/bin:/bin", "KEPT", "as it is"));

  public @TempDir Path dir;
  private final List<Integer> started = new ArrayList<>();

  /** The start of a command line that runs the rest, the program of a shim. */
  List<String> starter = List.of();

  private ProcessWatcher watcher;
  private Shims shims;
  private int attempts;

  public ShimProgram shim() {
    return ShimProgram.SHELL;
  }

  @BeforeEach
  void open() throws IOException {
    open(shim());
  }

  void open(ShimProgram program) throws IOException {
    watcher = new ProcessWatcher(true);
    shims =
        new Shims(
            watcher,
            (argv, environment, files) -> {
              List<String> all = new ArrayList<>(starter);
              all.addAll(argv);
              int pid = Posix.spawn(all, environment, files);
              started.add(pid);
              return pid;
            },
            program,
            "boot",
            dir);
  }

  @AfterEach
  void close() {
    watcher.close();
    shims.close();
  }

  @Test
  void oneShellRunsCommandsOneAfterTheOther() throws Exception {
    assertThat(run("exit 0")).isEqualTo(ended(0));
    assertThat(run("exit 3")).isEqualTo(ended(3));
    assertThat(run("kill -9 $$")).isEqualTo(ended(137));
    assertThat(run("exit 0")).isEqualTo(ended(0));
    assertThat(started).hasSize(1);
  }

  @Test
  void theShellRecordsTheOutcome() throws Exception {
    run("exit 7");
    assertThat(attempt(0).exit().orElseThrow().code()).isEqualTo(7);
    assertThat(attempt(0).identity().orElseThrow().pid()).isEqualTo(started.getFirst());
    assertThat(attempt(0).identity().orElseThrow().isThere()).isTrue();
  }

  @Test
  void theOutcomeOfACommandThatFillsTheDiskIsRecorded() throws Exception {
    try (FullDisk disk = new FullDisk(dir.resolve("uid"))) {
      assertThat(run(disk.fill() + "; exit 3")).isInstanceOf(Shims.End.Reported.class);
      assertThat(attempt(0).exit().orElseThrow().code()).isEqualTo(3);
      assertThat(attempt(0).identity()).isPresent();
    }
  }

  @Test
  void aCommandThatRunsHasNoOutcomeYet() throws Exception {
    Path pipe = pipe("ready");
    CompletableFuture<Shims.End> end = sh("echo ready >" + pipe + "; read _ <" + pipe, false);
    assertThat(Files.readString(pipe)).isEqualTo("ready\n");
    assertThat(attempt(0).exit()).isEmpty();
    Files.writeString(pipe, "go\n");
    assertThat(end.get()).isEqualTo(ended(0));
    assertThat(attempt(0).exit().orElseThrow().code()).isZero();
  }

  @Test
  void leftoverProcessesEndWithTheirShell() throws Exception {
    Path pipe = pipe("left");
    CompletableFuture<Shims.End> end = sh("exec 9>" + pipe + "; sleep 1000 & exit 0", false);
    try (BufferedReader left = Files.newBufferedReader(pipe)) {
      assertThat(end.get()).isEqualTo(ended(0));
      assertThat(left.readLine()).as("it ends").isNull();
    }
    run("exit 0");
    assertThat(started).hasSize(shim().isCompiled() ? 1 : 2);
  }

  @Test
  void aShellWhoseGroupWasSignalledIsNotReused() throws Exception {
    Path pipe = pipe("ready");
    CompletableFuture<Shims.End> end = sh("echo ready >" + pipe + "; sleep 1000", false);
    try (BufferedReader ready = Files.newBufferedReader(pipe)) {
      assertThat(ready.readLine()).isEqualTo("ready");
    }
    watcher.execute(() -> {
      shims.spoil(started.getFirst());
      Posix.kill(-started.getFirst(), 15);
    });
    assertThat(end.get()).isEqualTo(stopped(143));
    run("exit 0");
    assertThat(started).hasSize(2);
  }

  @Test
  void aShellThatIsToldToEndWithItsCommandSaysSo() throws Exception {
    assertThat(run("kill -TERM $PPID; exit 3")).isEqualTo(stopped(3));
    assertThat(attempt(0).wasStopped()).isTrue();
    assertThat(attempt(0).exit().orElseThrow().code()).isEqualTo(3);
    assertThat(run("kill -HUP $PPID; exit 0")).isEqualTo(stopped(0));
    assertThat(run("kill -TERM $$")).isEqualTo(ended(143));
    assertThat(attempt(2).wasStopped()).isFalse();
  }

  @Test
  void aSignalToAnIdleShellIsNotOneToItsNextCommand() throws Exception {
    run("exit 0");
    for (int signal : List.of(15, 1, 10)) {
      Posix.kill(started.getFirst(), signal);
      assertThat(run("exit 3")).isEqualTo(ended(3));
    }
    assertThat(started).as("a signal does not end it").hasSize(1);
  }

  @Test
  void aCommandThatIsToBeAloneHasAShellOfItsOwn() throws Exception {
    assertThat(sh("exit 0", true).get()).isEqualTo(ended(0));
    run("exit 0");
    assertThat(started).hasSize(2);
  }

  @Test
  void aShellThatDiesTakesItsCommandWithIt() throws Exception {
    Shims.End end = run("kill -9 0");
    assertThat(end).isInstanceOf(Shims.End.WithShim.class);
    assertThat(((Shims.End.WithShim) end).status().orElseThrow().signal()).isEqualTo(9);
    assertThat(run("exit 0")).isEqualTo(ended(0));
  }

  @Test
  void variablesWordsAndPlacesArriveAsTheyAre() throws Exception {
    String odd = " it's \"$HOME\" `x`\n\\two\\\n";
    Path place = Files.createDirectory(dir.resolve("a 'place'"));
    List<String> words =
        List.of("/bin/sh", "-c", "printf '%s|' \"$@\" \"$ODD\" \"$KEPT\"; pwd", "-", odd, "");
    start(words, Map.of("ODD", odd), place, false).get();
    assertThat(Files.readString(logs(0).path(LogStream.STDOUT)))
        .isEqualTo(odd + "||" + odd + "|as it is|" + place.toRealPath() + "\n");
  }

  @Test
  void aCommandHasNoFilesOfItsShell() throws Exception {
    run("ls /proc/self/fd | wc -l");
    assertThat(Files.readString(logs(0).path(LogStream.STDOUT)).strip())
        .as("input, output, errors, and the directory that is read")
        .isEqualTo("4");
  }

  @Test
  void aCommandHasTheVariablesThatItHasFromAShell() throws Exception {
    start(
            List.of("/usr/bin/env"),
            Map.of("OWN", "1", "KEPT", "other", "__stint_spare", "/"),
            dir,
            false)
        .get();
    assertThat(Files.readAllLines(logs(0).path(LogStream.STDOUT)))
        .containsExactlyInAnyOrder(
            "PATH=/usr/bin:/bin", "KEPT=other", "OWN=1", "__stint_spare=/", "PWD=" + dir);
  }

  @Test
  void aCommandMayBeLong() throws Exception {
    String word = "'long' ".repeat(10_000);
    start(List.of("/bin/sh", "-c", "printf %s \"$1\"", "-", word), Map.of(), dir, false).get();
    assertThat(Files.readString(logs(0).path(LogStream.STDOUT))).isEqualTo(word);
  }

  @Test
  void aCommandArrivesWholeWhetherItFitsIntoARequestOrNot() throws Exception {
    int rest = request(0, "").length() + " 4095 .".length();
    for (int length = 4095; length <= 4097; length++) {
      String word = "é" + "x".repeat(length - rest - "é".getBytes(UTF_8).length);
      start(List.of("printf", word), Map.of(), dir, false).get();
      assertThat(Files.readString(logs(attempts - 1).path(LogStream.STDOUT))).isEqualTo(word);
    }
    assertThat(List.of(0, 1, 2))
        .filteredOn(each -> !Files.exists(attempt(each).path().resolve("script")))
        .as("those whose script came with the request")
        .isEqualTo(shim().isCompiled() ? List.of(0, 1) : List.of());
  }

  /** The request without the length of the script. */
  private String request(int number, String word) {
    return (number + 1)
        + " "
        + dir.relativize(attempt(number).path())
        + "\n"
        + ShimScript.text(
            Map.of(), dir.toString(), logs(number), Optional.empty(), List.of("printf", word));
  }

  @Test
  void theDirectoryOfAnAttemptMayBeMadeFromASpareOne() throws Exception {
    AttemptDir old = AttemptDir.of(dir, "spare", "main", 0);
    old.create();
    Path kept = Files.writeString(old.path().resolve("exit"), "of another pod 8\n\n");
    assertThat(exitWith(7, Optional.of(old.podDir()))).isEqualTo(ended(7));
    assertThat(kept).doesNotExist();
    assertThat(attempt(0).exit().orElseThrow().code()).isEqualTo(7);
    assertThat(attempt(0).path().resolve("exit")).content().endsWith("ther pod 8\n\n");
    assertThat(attempt(0).identity()).isPresent();
  }

  @Test
  void aMissingSpareIsReplacedByANewDirectory() throws Exception {
    assertThat(exitWith(7, Optional.of(dir.resolve("gone")))).isEqualTo(ended(7));
    assertThat(attempt(0).exit().orElseThrow().code()).isEqualTo(7);
  }

  @Test
  void aLongCommandMayHaveOneToo() throws Exception {
    String word = "x".repeat(5000);
    List<String> argv = List.of("/bin/sh", "-c", "exit ${#1}", "-", word.substring(0, 9), word);
    String script = ShimScript.text(Map.of(), dir.toString(), logs(0), Optional.empty(), argv);
    AttemptDir old = AttemptDir.of(dir, "spare", "main", 0);
    old.create();
    assertThat(start(Optional.of(old.podDir()), script, false).get()).isEqualTo(ended(9));
    assertThat(old.podDir()).doesNotExist();
  }

  private Shims.End exitWith(int code, Optional<Path> spare) throws Exception {
    List<String> argv = List.of("/bin/sh", "-c", "exit " + code);
    String script = ShimScript.text(Map.of(), dir.toString(), logs(0), Optional.empty(), argv);
    return start(spare, script, false).get();
  }

  @Test
  void theReasonOfAFailedStartIsRecorded() throws Exception {
    start(List.of("/no/such"), Map.of(), dir, false).get();
    assertThat(attempt(0).exit().orElseThrow().message())
        .isEqualTo("cannot run \"/no/such\": it or its interpreter was not found");
    start(List.of(dir.toString()), Map.of(), dir, false).get();
    assertThat(attempt(1).exit().orElseThrow().message())
        .isEqualTo(
            "cannot run \"" + dir + "\": permission denied, or not a program for this machine");
    start(List.of("/bin/true"), Map.of(), dir.resolve("none"), false).get();
    assertThat(attempt(2).exit().orElseThrow().message()).contains("\"" + dir + "/none\"");
  }

  @Test
  void aFileOfCommandsNeedNotNameItsShell() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "exit $1\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    List<String> words = List.of(file.toString(), "5");
    assertThat(start(words, Map.of(), dir, false).get()).isEqualTo(ended(5));
  }

  Shims.End run(String commands) throws Exception {
    return sh(commands, false).get();
  }

  CompletableFuture<Shims.End> sh(String commands, boolean alone) throws Exception {
    return start(List.of("/bin/sh", "-c", commands), Map.of(), dir, alone);
  }

  /** The end of a command that printed nothing. */
  Shims.End ended(int code) {
    return new Shims.End.Reported(code, shim().isCompiled(), false, false);
  }

  private Shims.End stopped(int code) {
    return new Shims.End.Reported(code, shim().isCompiled(), true, false);
  }

  private CompletableFuture<Shims.End> start(
      List<String> argv, Map<String, String> variables, Path place, boolean alone)
      throws Exception {
    int number = attempts;
    return start(
        ShimScript.text(variables, place.toString(), logs(number), Optional.empty(), argv), alone);
  }

  private CompletableFuture<Shims.End> start(String script, boolean alone) throws Exception {
    attempt(attempts).create();
    return start(Optional.empty(), script, alone);
  }

  CompletableFuture<Shims.End> start(Optional<Path> spare, String script, boolean alone)
      throws Exception {
    AttemptDir attempt = attempt(attempts++);
    CompletableFuture<Shims.End> end = new CompletableFuture<>();
    CompletableFuture<Integer> group = new CompletableFuture<>();
    watcher.execute(() -> {
      try {
        group.complete(shims.run(attempt, spare, script, alone, OWN, end::complete));
      } catch (IOException fault) {
        group.completeExceptionally(fault);
      }
    });
    assertThat(group.get()).isPositive();
    return end;
  }

  private Path pipe(String name) throws IOException, InterruptedException, ExecutionException {
    Path pipe = dir.resolve(name);
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().onExit().get().exitValue())
        .isZero();
    return pipe;
  }

  AttemptDir attempt(int number) {
    return AttemptDir.of(dir, "uid", "main", number);
  }

  LogFiles logs(int number) {
    return new LogFiles(dir, "main", number);
  }
}
