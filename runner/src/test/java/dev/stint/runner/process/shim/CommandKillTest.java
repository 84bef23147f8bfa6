package dev.stint.runner.process.shim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.proc.ProcessTable;
import dev.stint.runner.process.command.AttemptDir;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Signals to a group that looks like that of a container with a process namespace of its own. */
@Timeout(60)
class CommandKillTest {
  private static final int TERM = 15;

  /** Starts the scripts one below the other, each as a process of its own. */
  private static final String SHIM = "echo $$; sh -c \"$1\" sh \"$2\"; :";

  private static final String NAMESPACE = "sh -c \"$1\"; :";

  @TempDir Path dir;
  private final List<String> missed = new ArrayList<>();
  private final List<Runnable> tasks = new ArrayList<>();
  private final CommandKill kill = new CommandKill(tasks::add);
  private AttemptDir attempt;
  private Process shim;

  @BeforeEach
  void writeEnvironment() throws Exception {
    attempt = new AttemptDir(dir);
    attempt.writeEnvironment("");
  }

  @AfterEach
  void end() {
    CommandKill.killWithShim(group());
  }

  @Test
  void theProgramsThatArrangeAContainerGetNoSignal() throws Exception {
    start("exec 9<" + attempt.environmentFile() + "; sh -c 'echo ready; exec sleep 1000'; :");
    signal("first");
    assertThat(missed).containsExactly("first");
    assertThat(ProcessTable.read().startedBy(group())).hasSize(3);
  }

  @Test
  void aSignalIsTooEarlyBeforeTheNamespacesFirstProcessStartsAnything() throws Exception {
    start("echo ready; read _ <" + pipe());
    signal("first");
    assertThat(missed).containsExactly("first");
  }

  @Test
  void aCommandGetsTheSignalEvenBesideProcessesOfItsContainersArrangement() throws Exception {
    Path pipe = pipe();
    start(
        "trap : TERM; (exec 9<%s; echo ready; sleep 1000) & sh -c 'exec sleep 1000 >%s'; :"
            .formatted(attempt.environmentFile(), pipe));
    try (BufferedReader open = Files.newBufferedReader(pipe)) {
      signal("first");
      assertThat(open.readLine()).as("it has ended").isNull();
    }
    assertThat(missed).isEmpty();
  }

  @Test
  void signalsThatComeTogetherShareOneScan() throws Exception {
    start("echo ready; read _ <" + pipe());
    signal("a");
    kill.signal(group(), TERM, attempt, () -> missed.add("b"));
    kill.signal(group(), TERM, attempt, () -> missed.add("c"));
    assertThat(tasks).hasSize(1);
    runTasks();
    assertThat(missed).containsExactly("a", "b", "c");
  }

  @Test
  void aGroupThatHasEndedGetsNoSignal() throws Exception {
    start("echo ready; read _ <" + pipe());
    kill.signal(group(), TERM, attempt, () -> missed.add("a"));
    kill.forget(group());
    runTasks();
    assertThat(missed).isEmpty();
  }

  private void start(String first) throws Exception {
    shim =
        new ProcessBuilder("setsid", "sh", "-c", SHIM, "sh", NAMESPACE, first)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader out = shim.inputReader();
    assertThat(out.readLine()).isEqualTo(String.valueOf(group()));
    assertThat(out.readLine()).isEqualTo("ready");
  }

  private void signal(String name) {
    kill.signal(group(), TERM, attempt, () -> missed.add(name));
    runTasks();
  }

  private void runTasks() {
    List<Runnable> due = List.copyOf(tasks);
    tasks.clear();
    due.forEach(Runnable::run);
  }

  private int group() {
    return Math.toIntExact(shim.pid());
  }

  private Path pipe() throws Exception {
    Path pipe = dir.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    return pipe;
  }
}
