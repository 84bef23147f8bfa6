package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.TestTime;
import dev.stint.runner.proc.BlockingMemory;
import dev.stint.runner.proc.ProcessMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EscapedProcessesTest {
  /** Beyond all numbers of processes. */
  private static final int HOSTILE = 5_000_000;

  private static final Path PODS = Path.of("/pods");

  private final TestTime time = new TestTime();
  private final BlockingMemory memory = new BlockingMemory();
  private final BlockingQueue<Runnable> watcher = new LinkedBlockingQueue<>();
  private Process process;
  private int pid;

  @BeforeEach
  void startProcess() throws IOException {
    process = new ProcessBuilder("sleep", "1000").start();
    pid = Math.toIntExact(process.pid());
  }

  @AfterEach
  void endProcess() {
    process.destroyForcibly();
    memory.unblockAll();
  }

  @Test
  void aProcessOfAPodThatIsOverEnds() throws Exception {
    memory.set(pid, environment("over"));
    escaped(pid).end();
    onWatcher();
    assertThat(process.waitFor()).isEqualTo(128 + 9);
    assertThat(memory.readers())
        .as("the watcher reads nothing")
        .doesNotContain(Thread.currentThread());
  }

  @Test
  void aProcessOfAPodThatIsNotOverStays() throws Exception {
    memory.set(pid, environment("running"));
    escaped(pid).end();
    onWatcher();
    assertThat(process.isAlive()).isTrue();
  }

  @Test
  void aProcessThatHasNoStartAnymoreIsNotFound() throws Exception {
    memory.set(HOSTILE, environment("over"));
    memory.set(pid, environment("over"));
    escaped(HOSTILE, pid).end();
    onWatcher();
    assertThat(process.waitFor()).isEqualTo(128 + 9);
  }

  @Test
  void aProcessThatDoesNotLetItselfBeReadHoldsUpNoOther() throws Exception {
    memory.block(HOSTILE);
    memory.set(pid, environment("over"));
    escaped(HOSTILE, pid).end();
    giveUp();
    onWatcher();
    assertThat(process.waitFor()).isEqualTo(128 + 9);
  }

  @Test
  void aProcessIsSearchedForAgainOnceItLetsItselfBeRead() throws Exception {
    memory.set(pid, environment("over"));
    memory.block(pid);
    escaped(pid).end();
    giveUp();
    assertThat(process.isAlive()).isTrue();
    memory.unblock(pid);
    onWatcher();
    assertThat(process.waitFor()).isEqualTo(128 + 9);
  }

  @Test
  void aSleepDuringASearchDelaysTheNextOneByAMinuteOnly() throws Exception {
    memory.set(pid, environment("over"));
    AtomicReference<Duration> slept = new AtomicReference<>();
    EscapedProcesses escaped =
        new EscapedProcesses(
            PODS,
            watcher::add,
            new ProcessMemory(time, memory),
            () -> slept.compareAndSet(null, Duration.ofHours(8)) ? Stream.empty() : Stream.of(pid),
            "over"::equals,
            () -> time.instant().plus(Objects.requireNonNullElse(slept.get(), Duration.ZERO)),
            time);
    escaped.end();
    escaped.end();
    time.advanceOnceArmed(EscapedProcesses.LONGEST_REST);
    onWatcher();
    assertThat(process.waitFor()).isEqualTo(128 + 9);
  }

  private void giveUp() throws InterruptedException {
    memory.awaitBlocked();
    Duration limit = Duration.ofSeconds(1);
    time.advanceOnceArmed(limit);
    time.advanceOnceArmed(limit);
  }

  private void onWatcher() throws InterruptedException {
    Runnable task = watcher.poll(60, TimeUnit.SECONDS);
    assertThat(task).as("a task for the watcher").isNotNull();
    task.run();
  }

  private static String environment(String pod) {
    return "A=B\0STINT_TERMINATION_LOG=" + PODS + "/" + pod + "/main/0/message\0";
  }

  private EscapedProcesses escaped(Integer... pids) {
    return new EscapedProcesses(
        PODS,
        watcher::add,
        new ProcessMemory(time, memory),
        () -> List.of(pids).stream(),
        "over"::equals,
        time,
        time);
  }
}
