package dev.stint.runner.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.PodBuilder;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.runtime.Exit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttemptRecordsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final KubeObject POD = PodBuilder.named("a-0-x").uid("uid-a").index(0).build();

  @TempDir Path job;

  @Test
  void theRecordsHaveALineForEachAttempt() throws Exception {
    assertThat(AttemptRecords.read(job)).isEmpty();
    LogFiles first = new LogFiles(job.resolve("a-0-x"), "main", 0);
    AttemptRecords.add(
        first, POD, null, Exit.of(137, 9, START, START.plusMillis(2050)), first.isSilent());
    LogFiles second = new LogFiles(job.resolve("a-0-x"), "main", 1);
    Exit loud = Exit.startError("no\n" + "x".repeat(5000), START);
    AttemptRecords.add(second, POD, null, loud, second.isSilent());
    assertThat(AttemptRecords.read(job)).hasSize(2);
    assertThat(AttemptRecords.read(job).getFirst())
        .isEqualTo(
            Json.parse(
                """
                {"pod": "a-0-x", "uid": "uid-a", "index": 0, "container": "main", "attempt": 0,
                 "exitCode": 137, "signal": 9, "reason": "Error", "silent": true,
                 "startedAt": "2026-01-01T00:00:00Z", "finishedAt": "2026-01-01T00:00:02.050Z"}
                """));
    assertThat(Json.text(AttemptRecords.read(job).getLast(), "message"))
        .startsWith("no\nx")
        .hasSize(1024);
    KeptLog kept = AttemptRecords.kept(job, START).orElseThrow();
    assertThat(kept.bytes()).as("two blocks").isEqualTo(8192);
    kept.removal().remove();
    assertThat(AttemptRecords.read(job)).isEmpty();
    assertThat(AttemptRecords.kept(job, START)).isEmpty();
  }

  @Test
  void aRecordSaysWhetherTheAttemptPrintedAnything() throws Exception {
    LogFiles files = new LogFiles(job.resolve("a-0-x"), "main", 0);
    assertThat(files.makeDir()).isTrue();
    Files.writeString(files.path(LogStream.STDERR), "a line");
    AttemptRecords.add(files, POD, null, Exit.of(0, null, START, START), files.isSilent());
    assertThat(AttemptRecords.read(job)).singleElement().matches(each -> !each.has("silent"));
  }

  @Test
  void theRecordsOfAJobMayBeTheFirstThatIsKeptOfIt() throws Exception {
    Path another = job.resolve("another");
    LogFiles files = new LogFiles(another.resolve("a-0-x"), "main", 0);
    AttemptRecords.add(files, POD, null, Exit.of(0, null, START, START), files.isSilent());
    assertThat(AttemptRecords.read(another)).hasSize(1);
  }

  @Test
  void aLineThatAFullDiskCutShortDoesNotTakeTheNextOneAlong() throws Exception {
    LogFiles files = new LogFiles(job.resolve("p"), "main", 0);
    AttemptRecords.add(files, POD, null, Exit.of(0, null, START, START), false);
    byte[] whole = "{\"pod\":\"halü".getBytes(UTF_8);
    byte[] half = Arrays.copyOf(whole, whole.length - 1);
    Files.write(job.resolve("_attempts.jsonl"), half, StandardOpenOption.APPEND);
    AttemptRecords.add(files, POD, null, Exit.of(7, null, START, START), false);
    assertThat(AttemptRecords.read(job))
        .extracting(each -> Json.integer(each, "exitCode"))
        .containsExactly(0, 7);
  }
}
