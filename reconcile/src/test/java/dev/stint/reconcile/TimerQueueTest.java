package dev.stint.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.EventLoop;
import dev.stint.harness.ShortTimers;
import dev.stint.harness.TestLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimerQueueTest {
  private final TestLoop world = new TestLoop();

  /** The time by which the clock is ahead of the timers, such as after a sleep. */
  private Duration ahead = Duration.ZERO;

  private final List<String> due = new ArrayList<>();
  private final TimerQueue<String> queue =
      new TimerQueue<>(
          new EventLoop(world, this::now, new ShortTimers(world.time), new Random(1)), due::add);

  private Instant now() {
    return world.time.instant().plus(ahead);
  }

  private void pass(Duration time) {
    world.pass(time);
  }

  @Test
  void keysAreDueAtTheirTimes() {
    queue.put("late", now().plus(Duration.ofHours(1)));
    queue.put("soon", now().plus(Duration.ofSeconds(5)));
    pass(Duration.ofSeconds(5));
    assertThat(due).containsExactly("soon");
    pass(Duration.ofMinutes(59));
    assertThat(due).containsExactly("soon");
    pass(Duration.ofMinutes(1));
    assertThat(due).containsExactly("soon", "late");
  }

  @Test
  void afterASleepOfTheMachineTheyAreDueWhenTheTimersLookAtTheClock() {
    queue.put("deadline", now().plus(Duration.ofHours(4)));
    pass(Duration.ofSeconds(1));
    ahead = Duration.ofHours(8);
    queue.put("backoff", now().plus(Duration.ofSeconds(10)));
    pass(Duration.ofSeconds(30));
    assertThat(due).containsExactly("deadline", "backoff");
  }

  @Test
  void aClockThatIsSetBackMakesThemLater() {
    queue.put("a", now().plus(Duration.ofSeconds(20)));
    ahead = Duration.ofSeconds(-20);
    pass(Duration.ofSeconds(20));
    assertThat(due).isEmpty();
    pass(Duration.ofSeconds(20));
    assertThat(due).containsExactly("a");
  }
}
