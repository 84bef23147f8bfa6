package dev.stint.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.DeleteOptions;
import dev.stint.console.stream.ChangeFeed;
import dev.stint.jobs.ApiCalls;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class JobFeedTest {
  private static final String FAILED =
      """
      "phase":"Failed","containerStatuses":[{"name":"main","image":"none","imageID":"","ready":false,"restartCount":0,
        "state":{"terminated":{"exitCode":42,"reason":"Error","startedAt":"2026-01-01T00:00:05Z","finishedAt":"2026-01-01T00:00:07Z"}}}]
      """;

  @TempDir private Path directory = Path.of("");
  private ConsoleTestBed bed = new ConsoleTestBed(directory);
  private final AtomicInteger told = new AtomicInteger();

  @BeforeEach
  void open() {
    bed.close();
    bed = new ConsoleTestBed(directory);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private JobFeed follow(String name) {
    LiveJobs live = new LiveJobs(bed.options(bed.logs()));
    return new JobFeed(live.open("default", name), () -> ConsoleTestBed.NOW, told::incrementAndGet);
  }

  private Map<String, JsonNode> take(ChangeFeed feed) throws Exception {
    bed.settle();
    Map<String, JsonNode> frames = new HashMap<>();
    for (List<ChangeFeed.Frame> some = feed.take(); !some.isEmpty(); some = feed.take()) {
      some.forEach(frame -> frames.put(frame.event(), frame.data()));
    }
    return frames;
  }

  private static JsonNode frame(Map<String, JsonNode> frames, String name) {
    return Objects.requireNonNull(frames.get(name));
  }

  @Test
  void aPageReceivesEverythingFirstAndThenChanges() throws Exception {
    KubeObject job = bed.indexed("hello", 5);
    bed.pod(job, 1, "hello-1-aaaaa", FAILED);
    try (JobFeed feed = follow("hello")) {
      Map<String, JsonNode> first = take(feed);
      assertThat(frame(first, "job").get("state").stringValue()).isEqualTo("Waiting");
      assertThat(frame(first, "cells"))
          .hasToString("{\"size\":5,\"all\":true,\"set\":[[4,1,\"1\"]]}");
      assertThat(frame(first, "job").get("failures").get(0).get("exitCode").intValue())
          .isEqualTo(42);
      assertThat(frame(first, "spans").get("spans")).hasToString("[[1767225607,0,1]]");
      assertThat(take(feed)).isEmpty();

      int before = told.get();
      bed.pod(job, 1, "hello-1-bbbbb", "\"phase\":\"Running\"");
      bed.status(job, "\"active\":1,\"completedIndexes\":\"0,2\",\"succeeded\":2,\"failed\":1");
      Map<String, JsonNode> next = take(feed);
      assertThat(told.get()).isGreaterThan(before);
      assertThat(frame(next, "job").get("succeeded").intValue()).isEqualTo(2);
      assertThat(frame(next, "cells").get("set")).hasToString("[[3,0,\"0,2\"],[2,2,\"1\"]]");
      assertThat(next).doesNotContainKeys("spans", "events");
    }
  }

  @Test
  void deletedPodsAreRestoredFromRecords() throws Exception {
    KubeObject job = bed.indexed("hello", 3);
    Files.createDirectories(directory.resolve("default/hello"));
    Files.writeString(
        directory.resolve("default/hello/_attempts.jsonl"),
        """
        {"pod":"hello-2-x","uid":"gone","index":2,"jobUid":"%s","container":"main","attempt":0,"exitCode":1,"reason":"Error","startedAt":"2026-01-01T00:00:01Z","finishedAt":"2026-01-01T00:00:02Z"}
        {"pod":"hello-1-x","uid":"other","index":1,"jobUid":"of an earlier one","container":"main","attempt":0,"exitCode":1,"reason":"Error","startedAt":"2025-01-01T00:00:01Z","finishedAt":"2025-01-01T00:00:02Z"}
        """
            .formatted(job.uid()));
    try (JobFeed feed = follow("hello")) {
      Map<String, JsonNode> first = take(feed);
      assertThat(frame(first, "cells").get("set")).hasToString("[[4,1,\"2\"]]");
      assertThat(frame(first, "spans").get("spans")).hasSize(1);
    }
  }

  /** Such pods go some time after their Job, and change until then. */
  @Test
  void podsOfADeletedJobAreNotThoseOfTheNextOneOfItsName() throws Exception {
    KubeObject former = bed.indexed("hello", 3);
    KubeObject succeeded = bed.pod(former, 0, "hello-0-aaaaa", "\"phase\":\"Succeeded\"");
    KubeObject running = bed.pod(former, 1, "hello-1-aaaaa", "\"phase\":\"Running\"");
    try (JobFeed feed = follow("hello")) {
      take(feed);
      replace(former);
      assertThat(frame(take(feed), "cells").get("set")).hasToString("[[0,0,\"0-1\"]]");
      bed.status(running, FAILED);
      bed.label(succeeded);
      bed.delete(succeeded);
      assertThat(take(feed)).isEmpty();
    }
  }

  @Test
  void podsOfTheJobMayBeSeenBeforeItIs() throws Exception {
    KubeObject former = bed.indexed("hello", 3);
    bed.pod(former, 0, "hello-0-aaaaa", "\"phase\":\"Succeeded\"");
    KubeObject job = replace(former);
    bed.pod(job, 1, "hello-1-bbbbb", FAILED);
    try (JobFeed feed = follow("hello")) {
      Map<String, JsonNode> first = take(feed);
      assertThat(frame(first, "cells").get("set")).hasToString("[[4,1,\"1\"]]");
      assertThat(frame(first, "job").get("failures")).hasSize(1);
    }
  }

  private KubeObject replace(KubeObject job) {
    bed.delete(job);
    return bed.indexed(job.name(), 3);
  }

  @Test
  void aLogThatIsClosedWaitsForNothing() throws Exception {
    KubeObject job = bed.indexed("hello", 3);
    KubeObject running = bed.pod(job, 0, "hello-0-aaaaa", "\"phase\":\"Running\"");
    try (LiveJobs.Lease lease = new LiveJobs(bed.options(null)).open("default", "hello")) {
      JobLive live = lease.live();
      live.startAll();
      bed.settle();
      CompletableFuture<Boolean> closed = live.whenEnded(running.name(), 0);
      CompletableFuture<Boolean> open = live.whenEnded(running.name(), 0);
      closed.complete(true);
      bed.label(running);
      bed.settle();
      assertThat(live.waiters()).isOne();
      bed.status(running, FAILED);
      bed.settle();
      assertThat(open).isCompletedWithValue(true);
      assertThat(live.waiters()).isZero();
    }
  }

  @Test
  void anEventSaysWhyAJobHasNoPods() throws Exception {
    KubeObject job = bed.indexed("hello", 3);
    try (JobFeed feed = follow("hello")) {
      take(feed);
      bed.create(
          KubeObject.of(
              Json.parse(
                  """
                  {"apiVersion":"v1","kind":"Event","metadata":{"name":"e","namespace":"default"},
                   "type":"Warning","reason":"FailedCreate","message":"Error creating: over quota",
                   "involvedObject":{"kind":"Job","namespace":"default","name":"hello","uid":"%s"}}
                  """
                      .formatted(job.uid()))));
      assertThat(frame(take(feed), "job").get("why"))
          .hasToString("[\"no pods are created: over quota\"]");
    }
  }

  @Test
  void theDeletionOfAJobIsReported() throws Exception {
    KubeObject job = bed.indexed("hello", 3);
    try (JobFeed feed = follow("hello")) {
      take(feed);
      ApiCalls.await(bed.cluster().delete(job.ref(), DeleteOptions.now(job.uid())));
      assertThat(frame(take(feed), "deleted")).hasToString("{\"deleted\":true}");
    }
  }

  @Test
  void clientsOfTheSameJobShareItsView() {
    bed.indexed("hello", 3);
    LiveJobs live = new LiveJobs(bed.options(null));
    LiveJobs.Lease one = live.open("default", "hello");
    try (LiveJobs.Lease other = live.open("default", "hello")) {
      assertThat(one.live()).isSameAs(other.live());
      one.close();
      try (LiveJobs.Lease third = live.open("default", "hello")) {
        assertThat(third.live()).isSameAs(other.live());
      }
    }
    try (LiveJobs.Lease later = live.open("default", "hello")) {
      assertThat(later.live()).isNotSameAs(one.live());
    }
  }

  @Test
  void theListReportsNewChangedAndDeletedJobs() throws Exception {
    KubeObject job = bed.indexed("hello", 3);
    ListFeed feed = new ListFeed(bed.options(null), told::incrementAndGet).started();
    try (feed) {
      JsonNode all = frame(take(feed), "jobs");
      assertThat(all.get("all").booleanValue()).isTrue();
      assertThat(all.get("jobs").get(0).get("name").stringValue()).isEqualTo("hello");
      bed.status(job, "\"active\":2");
      assertThat(frame(take(feed), "jobs").get("jobs").get(0).get("state").stringValue())
          .isEqualTo("Running");
      ApiCalls.await(bed.cluster().delete(job.ref(), DeleteOptions.now(job.uid())));
      assertThat(frame(take(feed), "jobs").get("gone")).hasToString("[\"" + job.uid() + "\"]");
      assertThat(feed.take()).isEqualTo(List.of());
    }
  }
}
