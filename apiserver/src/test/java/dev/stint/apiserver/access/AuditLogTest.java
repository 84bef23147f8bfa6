package dev.stint.apiserver.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every write is recorded with its user, line by line, whatever happens. */
class AuditLogTest {
  @TempDir private Path temp;
  private final Queue<Runnable> tasks = new ArrayDeque<>();

  @Test
  void aLineSaysWhoDidWhatWhenAndHowItWent() throws Exception {
    RequestAttributes request =
        new RequestAttributes(
            User.of("jane"), "patch", "batch", "v1", "jobs", "status", "ci", "x", null);
    try (AuditLog log = open(1 << 20)) {
      log.record(
          new AuditLog.Entry(
              Instant.parse("2026-11-21T12:00:00.123Z"),
              request,
              403,
              7,
              "127.0.0.1",
              "kubectl\n"));
    }
    assertThat(lines())
        .containsExactly(
            "{\"time\":\"2026-11-21T12:00:00.123Z\",\"user\":\"jane\",\"verb\":\"patch\","
                + "\"group\":\"batch\",\"resource\":\"jobs\",\"subresource\":\"status\","
                + "\"namespace\":\"ci\",\"name\":\"x\",\"code\":403,\"latencyMillis\":7,"
                + "\"source\":\"127.0.0.1\",\"agent\":\"kubectl\\n\"}");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
  }

  @Test
  void annotationsOfAdmissionAreNoted() throws Exception {
    RequestAttributes request =
        new RequestAttributes(User.of("jane"), "create", "", "v1", "pods", "", "ci", "x", null);
    try (AuditLog log = open(1 << 20)) {
      log.record(
          new AuditLog.Entry(
              Instant.EPOCH, request, 201, 1, "::1", "", Map.of("b", "2", "a", "1")));
    }
    assertThat(lines().getFirst())
        .endsWith("\"source\":\"::1\",\"annotations\":{\"a\":\"1\",\"b\":\"2\"}}");
  }

  @Test
  void requestsDontWaitForTheDiskAndTheExecutorIsAskedOncePerBatch() throws Exception {
    AuditLog log = open(1 << 20);
    for (int i = 0; i < 100; i++) {
      log.record(entry("job-" + i));
    }
    assertThat(lines()).isEmpty();
    assertThat(tasks).hasSize(1);
    tasks.remove().run();
    assertThat(lines()).hasSize(100);
    log.record(entry("later"));
    assertThat(tasks).hasSize(1);
    log.close();
    assertThat(lines()).hasSize(101);
    tasks.remove().run();
    log.record(entry("too late"));
    assertThat(lines()).hasSize(101);
  }

  @Test
  void anotherStartGoesOnWhereTheLastEnded() throws Exception {
    for (int i = 0; i < 3; i++) {
      try (AuditLog log = open(1 << 20)) {
        log.record(entry("job-" + i));
      }
    }
    assertThat(lines()).hasSize(3);
  }

  @Test
  void twoFilesOfBoundedSizeAreKept() throws Exception {
    try (AuditLog log = open(2000)) {
      for (int i = 0; i < 1000; i++) {
        log.record(entry("job-" + i));
      }
    }
    Path older = temp.resolve("audit.log.1");
    assertThat(Files.size(file())).isBetween(1L, 2000L);
    assertThat(Files.size(older)).isBetween(1L, 2000L);
    List<String> all = new ArrayList<>(Files.readAllLines(older));
    all.addAll(lines());
    assertThat(Json.parse(all.getLast()).at("/name").stringValue()).isEqualTo("job-999");
    int last = 1000 - all.size();
    for (String line : all) {
      assertThat(Json.parse(line).at("/name").stringValue()).isEqualTo("job-" + last++);
    }
  }

  @Test
  void whatComesTooFastIsCounted() throws Exception {
    AuditLog log = open(1 << 24);
    for (int i = 0; i < 10_005; i++) {
      log.record(entry("job-" + i));
    }
    log.close();
    assertThat(lines()).hasSize(10_001).contains("{\"lost\":5}");
  }

  @Test
  void linesOfManyThreadsStayWhole() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(4);
        AuditLog log = AuditLog.open(file(), 1 << 24, threads)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(
            threads.submit(() -> {
              for (int j = 0; j < 1000; j++) {
                log.record(entry("job-" + j));
              }
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    assertThat(lines())
        .hasSize(4000)
        .allSatisfy(line -> assertThat(Json.parse(line).at("/code").intValue()).isEqualTo(201));
  }

  private AuditLog open(long mostBytes) throws Exception {
    return AuditLog.open(file(), mostBytes, tasks::add);
  }

  private static AuditLog.Entry entry(String name) {
    RequestAttributes request =
        new RequestAttributes(
            User.of("jane"), "create", "batch", "v1", "jobs", "", "ci", name, null);
    return new AuditLog.Entry(Instant.EPOCH, request, 201, 1, "::1", "");
  }

  private Path file() {
    return temp.resolve("audit.log");
  }

  private List<String> lines() throws Exception {
    return Files.readAllLines(file());
  }
}
