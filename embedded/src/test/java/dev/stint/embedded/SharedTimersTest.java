package dev.stint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedTimersTest {
  private static final Duration DELAY = Duration.ofNanos(100);

  private record Set(long due, Runnable task) {}

  private final List<Set> set = new ArrayList<>();
  private final List<String> ran = new ArrayList<>();
  private long now = Long.MAX_VALUE - 50;
  private int timersSet;
  private final SharedTimers timers = new SharedTimers(this::set, () -> now);

  private Runnable set(Duration delay, Runnable task) {
    timersSet++;
    Set timer = new Set(now + delay.toNanos(), task);
    set.add(timer);
    return () -> set.remove(timer);
  }

  private void pass(long nanos) {
    long end = now + nanos;
    for (; now - end < 0; now++) {
      runDue();
    }
    runDue();
  }

  private void runDue() {
    for (List<Set> due = due(); !due.isEmpty(); due = due()) {
      set.removeAll(due);
      due.forEach(timer -> timer.task().run());
    }
  }

  private List<Set> due() {
    return set.stream().filter(timer -> timer.due() - now <= 0).toList();
  }

  private Runnable after(Duration delay, String name) {
    return timers.after(delay, () -> ran.add(name));
  }

  @Test
  void eachTaskRunsWhenItIsDue() {
    after(DELAY, "first");
    pass(60);
    after(DELAY, "second");
    pass(39);
    assertThat(ran).isEmpty();
    pass(1);
    assertThat(ran).containsExactly("first");
    pass(59);
    assertThat(ran).containsExactly("first");
    pass(1);
    assertThat(ran).containsExactly("first", "second");
    assertThat(set).isEmpty();
  }

  @Test
  void manyThatAreCancelledNeedOneTimer() {
    for (int i = 0; i < 90; i++) {
      after(DELAY, "cancelled").run();
      pass(1);
    }
    assertThat(timersSet).isEqualTo(1);
    pass(100);
    assertThat(ran).isEmpty();
    assertThat(set).isEmpty();
    after(DELAY, "next");
    pass(100);
    assertThat(ran).containsExactly("next");
  }

  @Test
  void aTaskThatIsDueMayStillBeCancelled() {
    Runnable cancel = after(DELAY, "cancelled");
    now += DELAY.toNanos();
    List<Set> due = due();
    set.removeAll(due);
    due.forEach(timer -> timer.task().run());
    cancel.run();
    runDue();
    assertThat(ran).isEmpty();
  }

  @Test
  void otherDelaysAreOfTimersOfTheirOwn() {
    after(SharedTimers.SHORT.plusNanos(1), "long").run();
    assertThat(set).as("a cancelled long timer is gone at once").isEmpty();
    after(DELAY.plusNanos(1), "later");
    after(DELAY, "sooner");
    after(Duration.ZERO, "at once");
    pass(0);
    assertThat(ran).containsExactly("at once");
    pass(101);
    assertThat(ran).containsExactly("at once", "sooner", "later");
  }
}
