package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.harness.JobBuilder;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All controllers on the real API, in a process that dies again and again. */
class ControllersTest {
  private static final ObjectRef HOURLY = new ObjectRef(Kind.CRON_JOB, "default", "hourly");

  private static void create(ControllersMachine machine, String limits, String jobSpec) {
    String json =
        """
        {'apiVersion': 'batch/v1', 'kind': 'CronJob', 'metadata': {'name': 'hourly'},
        'spec': {'schedule': '0 * * * *', 'concurrencyPolicy': 'Forbid', %s,
        'jobTemplate': {'spec': {'completions': 2, 'parallelism': 2 %s,
        'template': {'spec': {'restartPolicy': 'Never',
        'containers': [{'name': 'main', 'image': 'none', 'command': ['w']}]}}}}}}
        """
            .formatted(limits, jobSpec);
    machine.answer(machine.api().create(KubeObject.of(Json.parse(json.replace('\'', '"')))));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void everyHourStartsOneJobAndInTheEndNothingIsLeft(long seed) {
    ControllersMachine machine = new ControllersMachine(seed, 200);
    create(machine, "'successfulJobsHistoryLimit': 100", "");
    machine.runFor(Duration.ofHours(24).plusMinutes(30));

    assertThat(machine.list(Kind.JOB))
        .as("seed %d", seed)
        .hasSize(24)
        .allMatch(job -> Json.text(job.status(), "completionTime") != null);
    assertThat(machine.list(Kind.POD)).hasSize(48);
    KubeObject hourly = machine.answer(machine.api().get(HOURLY));
    assertThat(Json.arrayAt(hourly.status(), "active")).isNull();
    assertThat(Json.text(hourly.status(), "lastScheduleTime")).isEqualTo("2026-01-02T00:00:00Z");
    assertThat(machine.list(Kind.EVENT))
        .extracting(event -> Json.text(event.tree(), "reason"))
        .doesNotContain("UnexpectedJob", "MissingJob");

    DeleteOptions foreground = new DeleteOptions(null, null, Propagation.FOREGROUND);
    machine.answer(machine.api().delete(HOURLY, foreground));
    machine.runFor(Duration.ofHours(1));
    assertThat(machine.list(Kind.CRON_JOB)).as("seed %d", seed).isEmpty();
    assertThat(machine.list(Kind.JOB)).isEmpty();
    assertThat(machine.list(Kind.POD)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void oldJobsGoWithTheirPods(long seed) {
    ControllersMachine machine = new ControllersMachine(seed, 1000);
    create(machine, "'successfulJobsHistoryLimit': 2", "");
    machine.runFor(Duration.ofHours(6).plusMinutes(30));
    assertThat(machine.list(Kind.JOB)).as("seed %d", seed).hasSize(2);
    assertThat(machine.list(Kind.POD)).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void jobsWhoseTimeIsOverGoWithTheirPods(long seed) {
    ControllersMachine machine = new ControllersMachine(seed, 1000);
    create(machine, "'successfulJobsHistoryLimit': 100", ", 'ttlSecondsAfterFinished': 5400");
    machine.runFor(Duration.ofHours(6).plusMinutes(30));
    assertThat(machine.list(Kind.JOB)).as("seed %d", seed).hasSize(2);
    assertThat(machine.list(Kind.POD)).hasSize(4);
  }

  private static void createAfter(
      ControllersMachine machine, String name, String after, String spec) {
    JobBuilder job = JobBuilder.named(name).command("w");
    if (!after.isEmpty()) {
      job.suspended().annotation("stint.dev/after", after);
    }
    machine.answer(machine.api().create((spec.isEmpty() ? job : job.spec(spec)).build()));
  }

  private static KubeObject job(ControllersMachine machine, String name) {
    return machine.answer(machine.api().get(new ObjectRef(Kind.JOB, "default", name)));
  }

  /** Returns the pods of a Job by their index, or by their number. */
  private static List<KubeObject> pods(ControllersMachine machine, String job) {
    return machine.list(Kind.POD).stream()
        .filter(pod -> pod.name().startsWith(job + "-"))
        .sorted(Comparator.comparing(KubeObject::name))
        .toList();
  }

  private static Instant ended(KubeObject pod) {
    return Instant.parse(
        pod.tree().at("/status/containerStatuses/0/state/terminated/finishedAt").asString());
  }

  private static void assertInOrder(ControllersMachine machine, String first, String second) {
    Instant end =
        pods(machine, first).stream().map(ControllersTest::ended).max(Instant::compareTo).get();
    assertThat(pods(machine, second))
        .as("%s starts before %s has ended", second, first)
        .isNotEmpty()
        .allSatisfy(pod -> assertThat(pod.creationTimestamp()).isAfterOrEqualTo(end));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void jobsStartAfterEachOtherAndIndexAfterIndex(long seed) {
    playJobsAfterOthers(seed);
  }

  /** Plays a world in which Jobs start after others. */
  static void playJobsAfterOthers(long seed) {
    ControllersMachine machine = new ControllersMachine(seed, 150);
    String indexed = "'completionMode':'Indexed','completions':4,'parallelism':2";
    createAfter(machine, "report", "load, merge=Finished", "");
    createAfter(machine, "load", "extract", "'completions':2,'parallelism':2");
    createAfter(
        machine, "merge", "shards=index", indexed.replace("'parallelism':2", "'parallelism':4"));
    createAfter(machine, "never", "bad", "");
    createAfter(machine, "nor", "never, extract", "");
    createAfter(machine, "extract", "", "'completions':2");
    createAfter(machine, "shards", "", indexed);
    createAfter(machine, "bad", "", "'backoffLimit':0");
    machine.runFor(Duration.ofHours(3));

    for (String name : List.of("extract", "load", "shards", "merge", "report")) {
      assertThat(JobStatus.read(job(machine, name).status()).isTrue(JobCondition.COMPLETE))
          .as("%s is complete, seed %d", name, seed)
          .isTrue();
    }
    for (String name : List.of("never", "nor")) {
      assertThat(JobStatus.read(job(machine, name).status()).condition(JobCondition.FAILED))
          .as("%s fails for its dependency, seed %d", name, seed)
          .get()
          .extracting(JobCondition::reason)
          .isEqualTo("DependencyFailed");
      assertThat(pods(machine, name)).isEmpty();
    }
    assertInOrder(machine, "extract", "load");
    assertInOrder(machine, "load", "report");
    assertInOrder(machine, "merge", "report");
    for (int index = 0; index < 4; index++) {
      assertInOrder(machine, "shards-" + index, "merge-" + index);
    }
    assertThat(pods(machine, "merge")).hasSize(4);
    assertThat(pods(machine, "merge-0").getFirst().creationTimestamp())
        .as("it does not wait for the last index")
        .isBefore(ended(pods(machine, "shards-3").getFirst()));
  }
}
