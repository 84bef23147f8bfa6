package dev.stint.runner.proc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.harness.TestTime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProcessMemoryTest {
  /** Beyond all numbers of processes; see pid_max in proc_sys_kernel(5). */
  private static final int FIRST = 5_000_000;

  private static final int HOSTILE = 7;

  private final TestTime time = new TestTime();
  private final BlockingMemory blocking = new BlockingMemory();

  @AfterEach
  void letAllGo() {
    blocking.unblockAll();
  }

  @Test
  void aReadThatHangsHoldsUpNoOther() throws Exception {
    blocking.block(FIRST + 1);
    CompletableFuture<ProcessMemory.Seen<Integer>> seen = look(memory(pid -> pid), 0, 1, 2);
    giveUp(FIRST + 1);
    assertThat(seen.get()).isEqualTo(new ProcessMemory.Seen<>(List.of(FIRST, FIRST + 2), false));
    assertThat(time.armed()).isZero();
  }

  @Test
  void aProcessWhoseReadHangsIsNotAskedUntilItReturns() throws Exception {
    ProcessMemory memory = memory(pid -> pid);
    CompletableFuture<@Nullable Void> late = new CompletableFuture<>();
    blocking.block(FIRST);
    CompletableFuture<ProcessMemory.Seen<Integer>> first =
        memory.look(() -> pids(0), ProcessMemoryTest::exists, () -> late.complete(null));
    giveUp(FIRST);
    assertThat(first.get().complete()).isFalse();
    assertThat(look(memory, 0, 1).get())
        .isEqualTo(new ProcessMemory.Seen<>(List.of(FIRST + 1), false));
    assertThat(blocking.blocking()).isZero();
    blocking.unblock(FIRST);
    late.get();
    assertThat(look(memory, 0).get()).isEqualTo(new ProcessMemory.Seen<>(List.of(FIRST), true));
  }

  @Test
  void aReadThatTakesShorterThanTheLimitIsNotGivenUp() throws Exception {
    blocking.block(FIRST);
    CompletableFuture<ProcessMemory.Seen<Integer>> seen = look(memory(pid -> pid), 0, 1);
    blocking.awaitBlocked();
    time.advanceOnceArmed(ProcessMemory.LIMIT);
    blocking.unblock(FIRST);
    assertThat(seen.get()).isEqualTo(new ProcessMemory.Seen<>(List.of(FIRST, FIRST + 1), true));
  }

  @Test
  void theProcessesOfOneUserHoldFewThreads() throws Exception {
    ProcessMemory memory = memory(pid -> pid < FIRST + 10 ? HOSTILE : pid);
    int[] hostile = IntStream.range(0, 10).toArray();
    IntStream.of(hostile).forEach(each -> blocking.block(FIRST + each));
    CompletableFuture<ProcessMemory.Seen<Integer>> seen =
        look(memory, IntStream.concat(IntStream.of(hostile), IntStream.of(10)).toArray());
    for (int i = 0; i < ProcessMemory.MOST_OF_USER; i++) {
      giveUp(FIRST + i);
    }
    assertThat(seen.get()).isEqualTo(new ProcessMemory.Seen<>(List.of(FIRST + 10), false));
    assertThat(blocking.blocking()).isZero();
  }

  @Test
  void noMoreThanSomeReadsHang() throws Exception {
    ProcessMemory memory = memory(pid -> pid);
    int[] all = IntStream.rangeClosed(0, ProcessMemory.MOST_HELD).toArray();
    IntStream.of(all).forEach(each -> blocking.block(FIRST + each));
    CompletableFuture<ProcessMemory.Seen<Integer>> seen = look(memory, all);
    for (int i = 0; i < ProcessMemory.MOST_HELD; i++) {
      giveUp(FIRST + i);
    }
    assertThat(seen.get()).isEqualTo(new ProcessMemory.Seen<>(List.of(), false));
    assertThat(blocking.blocking()).isZero();
  }

  @Test
  void aFaultOfALookIsReported() {
    CompletableFuture<ProcessMemory.Seen<Integer>> seen =
        memory(pid -> pid)
            .look(
                () -> pids(0),
                (_, _) -> {
                  throw new IllegalStateException("fault");
                },
                () -> {});
    assertThatThrownBy(seen::get).hasRootCauseMessage("fault");
  }

  @Test
  void aProcessThatMayNotBeReadIsPassedOver() throws Exception {
    CompletableFuture<ProcessMemory.Seen<Integer>> seen =
        memory(pid -> pid)
            .look(
                () -> pids(0),
                (_, _) -> {
                  throw new IOException("not ours");
                },
                () -> {});
    assertThat(seen.get()).isEqualTo(new ProcessMemory.Seen<>(List.of(), true));
  }

  @Test
  void readsAProcessOfThisMachine() throws Exception {
    int own = Math.toIntExact(ProcessHandle.current().pid());
    assertThat(
            new ProcessMemory(time)
                .look(
                    () -> Stream.of(own),
                    (pid, read) -> Optional.of(read.read(pid, ProcessMemory.Part.COMMAND_LINE)),
                    () -> {})
                .get()
                .found())
        .singleElement()
        .asString()
        .contains("java");
  }

  @Test
  void aTextIsReadToItsLimit() throws IOException {
    assertThat(ProcessMemory.text(bytes(ProcessMemory.MOST_BYTES)))
        .hasSize(ProcessMemory.MOST_BYTES);
    assertThat(ProcessMemory.text(bytes(ProcessMemory.MOST_BYTES + 1)))
        .hasSize(ProcessMemory.MOST_BYTES);
  }

  private static InputStream bytes(int count) {
    return new ByteArrayInputStream(new byte[count]);
  }

  private ProcessMemory memory(IntToLongFunction users) {
    return new ProcessMemory(time, blocking, users);
  }

  /**
   * Lets the time pass after which a read is given up: a check sees its begin, the next its rest.
   */
  private void giveUp(int pid) throws InterruptedException {
    assertThat(blocking.awaitBlocked()).isEqualTo(pid);
    time.advanceOnceArmed(ProcessMemory.LIMIT);
    time.advanceOnceArmed(ProcessMemory.LIMIT);
  }

  private static CompletableFuture<ProcessMemory.Seen<Integer>> look(
      ProcessMemory memory, int... pids) {
    return memory.look(() -> pids(pids), ProcessMemoryTest::exists, () -> {});
  }

  private static Stream<Integer> pids(int... pids) {
    return IntStream.of(pids).map(each -> FIRST + each).boxed();
  }

  private static Optional<Integer> exists(int pid, ProcessMemory.Reader memory) throws IOException {
    memory.read(pid, ProcessMemory.Part.ENVIRONMENT);
    return Optional.of(pid);
  }
}
