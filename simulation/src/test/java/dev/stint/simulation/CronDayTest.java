package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobCondition;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.simulation.CronPlan.Downtime;
import dev.stint.simulation.CronPlan.Limits;
import dev.stint.simulation.CronPlan.Policy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * CronJobs of all policies through a day on which the clocks change, in a process that dies and is
 * away at times. {@code -Dhours} says how much of the day is played; a whole one has 24.
 */
class CronDayTest {
  private static final int HOURS = Integer.getInteger("hours", 4);
  private static final ZoneId UTC = ZoneId.of("Etc/UTC");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Duration QUICK = Duration.ofSeconds(90);
  private static final Duration LONG = Duration.ofMinutes(7);
  private static final Limits USUAL = new Limits(3, 1, null, false);

  private static final List<CronPlan> PLANS =
      List.of(
          every(1, "minutely", "* * * * *", Policy.Allow, null, QUICK, USUAL),
          every(5, "patient", "*/5 * * * *", Policy.Forbid, null, LONG, USUAL),
          every(5, "strict", "*/5 * * * *", Policy.Forbid, Duration.ofMinutes(1), LONG, USUAL),
          every(5, "replaced", "*/5 * * * *", Policy.Replace, null, LONG, USUAL),
          every(60, "failing", "0 * * * *", Policy.Allow, null, LONG, new Limits(3, 2, null, true)),
          every(
              15,
              "short-lived",
              "*/15 * * * *",
              Policy.Allow,
              null,
              QUICK,
              new Limits(100, 1, Duration.ofMinutes(40), false)),
          new CronPlan(
              "nightly",
              "*/30 2-3 * * *",
              BERLIN,
              time -> time.getMinute() % 30 == 0 && (time.getHour() == 2 || time.getHour() == 3),
              Policy.Allow,
              null,
              QUICK,
              new Limits(100, 1, null, false)));

  /** When no process runs, in minutes and seconds since the start. */
  private static final List<Duration> AWAY =
      List.of(
          time(41, 10),
          time(47, 50),
          time(95, 30),
          time(95, 50),
          time(478, 20),
          time(483, 10),
          time(959, 30),
          time(960, 10));

  private static Duration time(int minutes, int seconds) {
    return Duration.ofMinutes(minutes).plusSeconds(seconds);
  }

  private static CronPlan every(
      int minutes,
      String name,
      String schedule,
      Policy policy,
      @Nullable Duration deadline,
      Duration takes,
      Limits limits) {
    return new CronPlan(
        name,
        schedule,
        UTC,
        time -> (time.getHour() * 60 + time.getMinute()) % minutes == 0,
        policy,
        deadline,
        takes,
        limits);
  }

  private final CronHistory history = new CronHistory();

  /** How often the pods of each Job were started. */
  private final Map<String, Integer> podStarts = new HashMap<>();

  /** The number of objects and their bytes at the end of each hour. */
  private final List<Long> events = new ArrayList<>();

  private final List<Long> others = new ArrayList<>();

  private final List<Long> bytes = new ArrayList<>();

  private SimulatedRuntime.Outcome outcome(KubeObject pod) {
    String job = pod.labels().get("batch.kubernetes.io/job-name");
    podStarts.merge(job, 1, Integer::sum);
    CronPlan plan =
        PLANS.stream().filter(each -> job.startsWith(each.name() + "-")).findFirst().orElseThrow();
    return new SimulatedRuntime.Outcome(plan.takes(), plan.limits().fails() ? 1 : 0);
  }

  /** Clocks go forward on the first day, and back on the second one, at 01:00 UTC. */
  @ParameterizedTest
  @CsvSource({"1, 2026-03-29", "2, 2026-10-25"})
  void aDayOfCronJobs(long seed, String day) {
    Instant start = Instant.parse(day + "T00:00:00Z");
    Instant end = start.plus(Duration.ofHours(HOURS)).plusSeconds(45);
    List<Downtime> downtimes = downtimes(start);
    ControllersMachine machine =
        new ControllersMachine(
            seed, 20_000, start, (pod, _) -> outcome(pod), history::onEvent, true);
    for (CronPlan plan : PLANS) {
      machine.answer(machine.api().create(KubeObject.of(Json.parse(plan.manifest()))));
    }
    play(machine, end, downtimes);

    for (CronPlan plan : PLANS) {
      assertRuns(plan, plan.starts(start, end, downtimes), end);
      assertHistory(plan, plan.starts(start, end, downtimes), machine);
    }
    assertThat(history.repeated()).isEmpty();
    assertThat(machine.list(Kind.POD)).hasSameSizeAs(machine.list(Kind.JOB));
    assertFlat(events);
    assertFlat(others);
    assertFlat(bytes);
  }

  private static List<Downtime> downtimes(Instant start) {
    List<Downtime> downtimes = new ArrayList<>();
    for (int i = 0; i < AWAY.size(); i += 2) {
      downtimes.add(new Downtime(start.plus(AWAY.get(i)), start.plus(AWAY.get(i + 1))));
    }
    return downtimes;
  }

  private void play(ControllersMachine machine, Instant end, List<Downtime> downtimes) {
    for (Downtime downtime : downtimes) {
      if (downtime.to().isBefore(end)) {
        playUntil(machine, downtime.from());
        machine.kill();
        playUntil(machine, downtime.to());
        machine.start();
      }
    }
    playUntil(machine, end);
  }

  private void playUntil(ControllersMachine machine, Instant until) {
    for (Instant now = machine.now(); now.isBefore(until); now = machine.now()) {
      Duration hour = Duration.ofHours(1);
      Duration left = Duration.between(now, until);
      Duration toHour = hour.minusSeconds(now.getEpochSecond() % hour.toSeconds());
      machine.runFor(left.compareTo(toHour) < 0 ? left : toHour);
      if (left.compareTo(toHour) >= 0) {
        events.add(history.events());
        others.add(history.others());
        bytes.add(history.bytes());
      }
    }
  }

  private void assertRuns(CronPlan plan, SortedMap<Instant, Instant> expected, Instant end) {
    SortedMap<Instant, Instant> runs = history.starts(plan.name());
    assertThat(difference(runs, expected)).as("the starts of %s", plan.name()).isEmpty();
    runs.forEach((due, started) -> {
      String job = plan.name() + "-" + due.getEpochSecond() / 60;
      assertThat(podStarts.get(job)).as("starts of the pod of %s", job).isEqualTo(1);
      if (plan.policy() != Policy.Replace && started.plus(plan.takes()).isBefore(end)) {
        assertThat(history.outcome(job))
            .as("the outcome of %s", job)
            .isEqualTo(plan.limits().fails() ? JobCondition.FAILED : JobCondition.COMPLETE);
      }
    });
  }

  /** Returns only what differs: a day has many starts. */
  private static List<String> difference(
      SortedMap<Instant, Instant> runs, SortedMap<Instant, Instant> expected) {
    return Stream.concat(runs.keySet().stream(), expected.keySet().stream())
        .distinct()
        .sorted()
        .filter(due -> !Objects.equals(runs.get(due), expected.get(due)))
        .map(due -> "due %s: %s, expected %s".formatted(due, runs.get(due), expected.get(due)))
        .toList();
  }

  private static void assertHistory(
      CronPlan plan, SortedMap<Instant, Instant> starts, ControllersMachine machine) {
    Instant now = machine.now();
    Duration timeToLive = plan.limits().timeToLive();
    long ended =
        starts.values().stream()
            .map(start -> start.plus(plan.takes()))
            .filter(end -> end.isBefore(now))
            .filter(end -> timeToLive == null || end.plus(timeToLive).isAfter(now))
            .count();
    int most = plan.limits().fails() ? plan.limits().failed() : plan.limits().successful();
    int kept = (int) Math.min(most, ended);
    // A Job that has ended while no process ran may be replaced or be Complete.
    int least = plan.policy() == Policy.Replace ? 0 : kept;
    assertThat(machine.list(Kind.JOB))
        .filteredOn(job -> job.name().startsWith(plan.name() + "-"))
        .filteredOn(job -> Json.arrayAt(job.status(), "conditions") != null)
        .as("the history of %s", plan.name())
        .hasSizeBetween(least, kept);
  }

  /**
   * Compares the last quarter with the second one: events stay for an hour. Their number varies,
   * since those of a new process are not merged with earlier ones. Less than four hours have no
   * quarters.
   */
  private static void assertFlat(List<Long> samples) {
    int quarter = samples.size() / 4;
    if (quarter == 0) {
      return;
    }
    assertThat(median(samples.subList(samples.size() - quarter, samples.size())))
        .as("samples of each hour: %s", samples)
        .isLessThan(median(samples.subList(quarter, 2 * quarter)) * 5 / 4);
  }

  private static long median(List<Long> samples) {
    return samples.stream().sorted().toList().get(samples.size() / 2);
  }
}
