package dev.stint.apiserver.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** No event of an acknowledged request is lost silently, and no request waits without bound. */
class AuditLogTest {
  private static final String LOST = "/annotations/audit.stint.dev~1events-lost";
  private static final String LEFT_OUT = "/annotations/audit.stint.dev~1requests-left-out";

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final Memory memory = new Memory();
  private Instant now = Instant.EPOCH;

  @Test
  void requestsDontWaitForTheDiskAndTheExecutorIsAskedOncePerBatch() throws Exception {
    AuditLog log = log(1 << 20, Duration.ZERO, tasks::add);
    for (int i = 0; i < 100; i++) {
      log.append(event(i), false);
    }
    assertThat(memory.written).isEmpty();
    assertThat(tasks).hasSize(1);
    tasks.remove().run();
    assertThat(memory.written).hasSize(100);
    log.append(event(100), false);
    assertThat(tasks).hasSize(1);
    log.close();
    assertThat(memory.ids()).hasSize(101).startsWith("0").endsWith("100");
    tasks.remove().run();
    log.append(event(101), false);
    assertThat(memory.written).hasSize(101);
  }

  @Test
  void eventsThatFindTheQueueFullAreCounted() throws Exception {
    AuditLog log = log(100 * lineBytes(), Duration.ZERO, tasks::add);
    for (int i = 0; i < 105; i++) {
      log.append(event(7), false);
    }
    tasks.remove().run();
    assertThat(memory.written).hasSize(101);
    assertThat(memory.sum(LOST)).isEqualTo(5);
    log.close();
    assertThat(memory.written).hasSize(101);
  }

  @Test
  void aRequestWaitsForRoom() throws Exception {
    AuditLog log = log(lineBytes(), Duration.ofMinutes(1), tasks::add);
    log.append(event(0), false);
    Runnable drain = tasks.remove();
    CompletableFuture<Void> waiting =
        CompletableFuture.runAsync(() -> log.append(event(1), false), Thread::startVirtualThread);
    drain.run();
    waiting.join();
    log.close();
    assertThat(memory.ids()).containsExactly("0", "1");
    assertThat(memory.sum(LOST)).isZero();
  }

  @Test
  void aFullDiskCostsEventsWhichAreCountedOnceItHasRoom() throws Exception {
    AuditLog log = log(1 << 20, Duration.ofMinutes(1), Runnable::run);
    log.append(event(0), false);
    memory.full = true;
    for (int i = 1; i <= 3; i++) {
      log.append(event(i), false);
    }
    memory.full = false;
    log.append(event(4), false);
    log.close();
    assertThat(memory.ids()).containsExactly("0", "4");
    assertThat(memory.sum(LOST)).isEqualTo(3);
  }

  @Test
  void aFaultOfTheSinkCostsEventsButNotTheLog() throws Exception {
    AuditLog log = log(1 << 20, Duration.ofMinutes(1), Runnable::run);
    memory.faulty = true;
    log.append(event(0), false);
    memory.faulty = false;
    log.append(event(1), false);
    log.close();
    assertThat(memory.ids()).containsExactly("1");
    assertThat(memory.sum(LOST)).isEqualTo(1);
  }

  @Test
  void aNoteThatIsLostIsWrittenAgain() throws Exception {
    AuditLog log = log(1 << 20, Duration.ZERO, Runnable::run);
    log.leaveOut();
    log.leaveOut();
    memory.full = true;
    log.append(event(0), false);
    memory.full = false;
    log.close();
    assertThat(memory.sum(LEFT_OUT)).isEqualTo(2);
    assertThat(memory.sum(LOST)).isEqualTo(1);
  }

  @Test
  void requestsThatWereLeftOutAreCountedOnceAMinuteAndAtTheEnd() throws Exception {
    AuditLog log = log(1 << 20, Duration.ZERO, Runnable::run);
    for (int i = 0; i < 100; i++) {
      log.leaveOut();
      log.append(event(i), false);
    }
    assertThat(memory.notes()).hasSize(1);
    assertThat(memory.sum(LEFT_OUT)).isEqualTo(1);
    now = now.plusSeconds(60);
    log.append(event(100), false);
    assertThat(memory.notes()).hasSize(2);
    assertThat(memory.sum(LEFT_OUT)).isEqualTo(100);
    log.leaveOut();
    log.close();
    assertThat(memory.sum(LEFT_OUT)).isEqualTo(101);
  }

  @Test
  void linesThatTheFileLeavesOutAreCountedToo() throws Exception {
    memory.ration = 2;
    AuditLog log = log(1 << 20, Duration.ZERO, Runnable::run);
    for (int i = 0; i < 10; i++) {
      log.append(event(i), true);
    }
    log.append(event(10), false);
    log.close();
    assertThat(memory.ids()).containsExactly("0", "1", "10");
    assertThat(memory.sum(LEFT_OUT)).isEqualTo(8);
    assertThat(memory.sum(LOST)).isZero();
  }

  @Test
  void eventsOfManyThreadsStayWhole() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      AuditLog log = log(1 << 24, Duration.ZERO, threads);
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(
            threads.submit(() -> {
              for (int j = 0; j < 1000; j++) {
                log.append(event(j), false);
              }
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
      log.close();
    }
    assertThat(memory.ids()).hasSize(4000);
  }

  @Test
  void aDeviceWithoutRoomStopsNobody() throws Exception {
    Path full = Path.of("/dev/full");
    Assumptions.assumeTrue(Files.exists(full), "NOT TESTED: no /dev/full here");
    AuditFile file = new AuditFile(full, new AuditFile.Limits(1 << 20, 0, 0), () -> now);
    AuditLog log =
        new AuditLog(
            file,
            new AuditLog.Options("/dev/full", AuditFormat.JSON, 1 << 20, Duration.ofMinutes(1)),
            () -> now,
            Runnable::run);
    for (int i = 0; i < 1000; i++) {
      log.append(event(i), false);
    }
    log.close();
  }

  private AuditLog log(long maxQueuedBytes, Duration patience, Executor executor) {
    return new AuditLog(
        memory,
        new AuditLog.Options("memory", AuditFormat.JSON, maxQueuedBytes, patience),
        () -> now,
        executor);
  }

  private static ObjectNode event(int id) {
    return Json.object().put("auditID", Integer.toString(id));
  }

  private static long lineBytes() {
    return AuditFormat.JSON.line(event(7)).length;
  }

  /** A sink in memory, which can be full. */
  private static final class Memory implements AuditSink {
    private final List<String> pending = new ArrayList<>();
    final List<String> written = new ArrayList<>();
    boolean full;
    boolean faulty;
    int ration = Integer.MAX_VALUE;

    @Override
    public boolean write(byte[] line, boolean rationed) {
      if (faulty) {
        throw new UncheckedIOException(new IOException("listing a directory that changes"));
      }
      if (rationed && ration-- <= 0) {
        return false;
      }
      pending.add(new String(line, StandardCharsets.UTF_8));
      return true;
    }

    @Override
    public void flush() throws IOException {
      if (full) {
        pending.clear();
        throw new IOException("No space left on device");
      }
      written.addAll(pending);
      pending.clear();
    }

    @Override
    public void close() throws IOException {
      flush();
    }

    private List<ObjectNode> events(boolean notes) {
      return written.stream()
          .map(Json::parse)
          .filter(event -> event.has("annotations") == notes)
          .toList();
    }

    List<String> ids() {
      return events(false).stream().map(event -> event.path("auditID").stringValue()).toList();
    }

    List<ObjectNode> notes() {
      return events(true);
    }

    long sum(String pointer) {
      return notes().stream()
          .mapToLong(note -> Long.parseLong(note.at(pointer).asString("0")))
          .sum();
    }
  }
}
