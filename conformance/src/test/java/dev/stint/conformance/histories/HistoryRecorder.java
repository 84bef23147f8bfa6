package dev.stint.conformance.histories;

import dev.stint.conformance.histories.HistoryAction.Verb;
import dev.stint.conformance.histories.JobHistory.Outcome;
import dev.stint.conformance.histories.JobHistory.Step;
import dev.stint.model.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Records one history of a random Job. */
final class HistoryRecorder {
  private static final int MOST_STEPS = 16;
  private static final Duration LONGEST = Duration.ofMinutes(2);

  /** The longest time that the requests of one fate may take: the controller collects for 1 s. */
  private static final Duration TOGETHER = Duration.ofMillis(500);

  private static final Duration SHORT_OF_BACKOFF = Duration.ofMillis(8500);

  private final RealWorld world;
  private final int id;
  private final Random random;
  private final JobObserver observer;
  private final JobPlayer player;
  private final RandomActions fates;
  private final ObjectNode job;
  private final CriticalTimes critical = new CriticalTimes();
  private final List<Step> steps = new ArrayList<>();
  private final Instant start;
  private List<String> made = List.of();
  private long end;

  /**
   * @param id the number of the history, which is its seed
   */
  HistoryRecorder(RealWorld world, int id) {
    String name = "job-" + id;
    this.world = world;
    this.id = id;
    this.random = new Random(id);
    this.job = new RandomJobDocuments(random).next();
    this.fates = new RandomActions(random);
    this.observer = world.observe(name);
    this.player = new JobPlayer(world, observer, name);
    this.start = world.now().truncatedTo(ChronoUnit.SECONDS);
  }

  /**
   * Lets random things happen until nothing more can.
   *
   * @throws IllegalStateException if the controller was too slow from the beginning
   */
  JobHistory record() {
    int length = random.nextInt(3, MOST_STEPS);
    create();
    while (steps.size() < length && millis() < LONGEST.toMillis()) {
      critical.addLimits(observer.job());
      HistoryAction fate = next();
      if (fate == null || !play(fate)) {
        break;
      }
    }
    return new JobHistory(id, job, steps, made, end);
  }

  private void create() {
    long at = millis();
    player.create(job);
    add(new Step(at, HistoryAction.of(Verb.CREATE), player.outcome()));
    critical.addLimits(observer.job());
    if (critical.isBetween(start, world.now())) {
      throw new IllegalStateException("the deadline passed before the first pods were seen");
    }
  }

  private @Nullable HistoryAction next() {
    Duration wait = critical.wait(world.now());
    if (!wait.isZero()) {
      return waiting(wait);
    }
    HistoryAction fate = fates.next(observer);
    if (fate == null) {
      Duration all = critical.waitForAll(world.now());
      return all.isZero() ? null : waiting(all);
    }
    return fate;
  }

  private static HistoryAction waiting(Duration time) {
    return new HistoryAction(Verb.WAIT, List.of(), Json.object().put("millis", time.toMillis()));
  }

  /** False if something else may have happened at the same time, so that the history ends. */
  private boolean play(HistoryAction fate) {
    Instant from = world.now();
    long at = millis();
    if (fate.verb() == Verb.WAIT) {
      RealWorld.sleep(Duration.ofMillis(fate.with().get("millis").longValue()));
      observer.touch();
    } else {
      player.play(fate);
    }
    Instant done = world.now();
    Outcome outcome = player.outcome();
    critical.addLimits(observer.job());
    if (isUncertain(fate, fate.verb() == Verb.WAIT ? done : from, done)) {
      return false;
    }
    add(new Step(at, fate, outcome));
    if (startsBackoff(fate)) {
      critical.addFailure(done);
    }
    return true;
  }

  private void add(Step step) {
    steps.add(step);
    made = observer.made();
    end = millis();
  }

  /** True if the controller may have seen the parts of a fate one by one, or more than it. */
  private boolean isUncertain(HistoryAction fate, Instant from, Instant done) {
    boolean slow = Duration.between(from, done).compareTo(TOGETHER) > 0;
    boolean late = Duration.between(from, world.now()).compareTo(SHORT_OF_BACKOFF) > 0;
    return critical.isBetween(from, world.now())
        || slow && fate.pods().size() > 1
        || late && startsBackoff(fate);
  }

  private static boolean startsBackoff(HistoryAction fate) {
    return fate.verb() == Verb.DELETE
        || fate.verb() == Verb.EVICT
        || fate.with().has("late") && fails(fate);
  }

  private static boolean fails(HistoryAction fate) {
    return fate.with().get("exit").valueStream().anyMatch(code -> code.intValue() != 0);
  }

  private long millis() {
    return Duration.between(start, world.now()).toMillis();
  }
}
