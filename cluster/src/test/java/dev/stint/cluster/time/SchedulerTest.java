package dev.stint.cluster.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SchedulerTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final SimulatedTime time = new SimulatedTime(START);
  private final Lifetime life = new Lifetime();
  private final List<String> done = new ArrayList<>();

  @Test
  void tasksOfAQueueRunInOrderAndASeedAlwaysInterleavesQueuesAlike() {
    assertThat(mixed(7)).isEqualTo(mixed(7)).isNotEqualTo(mixed(8));
    assertThat(mixed(7).stream().filter(task -> task.startsWith("a")))
        .containsExactly("a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7");
  }

  private List<String> mixed(long seed) {
    done.clear();
    Scheduler scheduler = new Scheduler(new Random(seed), time);
    List<Executor> queues = List.of(scheduler.serial(life), scheduler.serial(life));
    IntStream.range(0, 8)
        .forEach(i -> {
          queues.getFirst().execute(() -> done.add("a" + i));
          queues.getLast().execute(() -> done.add("b" + i));
        });
    while (scheduler.work()) {}
    return List.copyOf(done);
  }

  @Test
  void timePassesOnlyWhenNoTaskIsLeft() {
    Scheduler scheduler = new Scheduler(new Random(1), time);
    Executor queue = scheduler.serial(life);
    time.timersOf(life).after(Duration.ofHours(1), () -> done.add("timer"));
    queue.execute(() -> done.add("task"));
    assertThat(scheduler.step()).isTrue();
    assertThat(done).containsExactly("task");
    assertThat(scheduler.work()).isFalse();
    assertThat(time.instant()).isEqualTo(START);
    assertThat(scheduler.step()).isTrue();
    assertThat(done).containsExactly("task", "timer");
    assertThat(time.instant()).isEqualTo(START.plus(Duration.ofHours(1)));
    assertThat(scheduler.step()).isFalse();
  }

  @Test
  void aTimerThatWasDueWhenItsOwnerEndedLetsNoTimePass() {
    Scheduler scheduler = new Scheduler(new Random(1), time);
    Lifetime ended = new Lifetime();
    time.timersOf(ended).after(Duration.ZERO, () -> done.add("late"));
    ended.end();
    time.timersOf(life).after(Duration.ofHours(1), () -> done.add("timer"));
    Executor queue = scheduler.serial(life);
    IntStream.range(0, 200).forEach(_ -> queue.execute(() -> done.add("task")));
    while (done.size() < 200 && scheduler.step()) {}
    assertThat(done).containsOnly("task");
    assertThat(time.instant()).isEqualTo(START);
  }

  @Test
  void timersFireInOrderUpToTheGivenTime() {
    Timers timers = time.timersOf(life);
    timers.after(Duration.ofSeconds(2), () -> done.add("second"));
    timers.after(Duration.ofSeconds(1), () -> done.add("first"));
    timers.after(Duration.ofSeconds(1), () -> done.add("cancelled")).run();
    Instant latest = START.plusSeconds(1);
    assertThat(time.jump(latest)).isTrue();
    assertThat(time.jump(latest)).isFalse();
    assertThat(done).containsExactly("first");
    assertThat(time.instant()).isEqualTo(latest);
    time.passUntil(START.plusSeconds(9));
    time.passUntil(START);
    assertThat(time.jump()).isTrue();
    assertThat(time.instant()).isEqualTo(START.plusSeconds(9));
  }

  @Test
  void nothingRunsAfterTheEndOfALifetime() {
    Scheduler scheduler = new Scheduler(new Random(1), time);
    Executor queue = scheduler.serial(life);
    queue.execute(() -> done.add("task"));
    time.timersOf(life).after(Duration.ofSeconds(1), () -> done.add("timer"));
    life.end();
    queue.execute(() -> done.add("late"));
    assertThat(scheduler.step()).isFalse();
    assertThat(done).isEmpty();
  }
}
