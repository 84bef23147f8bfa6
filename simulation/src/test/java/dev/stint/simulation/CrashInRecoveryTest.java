package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.harness.JobBuilder;
import dev.stint.runner.runtime.SimulatedRuntime;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The next start dies at each step of its recovery, twice in a row. */
class CrashInRecoveryTest {
  /** How many steps of a start are tried. */
  private static final int STEPS = 120;

  private final LoggedErrors faults = new LoggedErrors();
  private Laws laws;
  private SimulatedSystem system;

  CrashInRecoveryTest() {
    begin();
  }

  private void begin() {
    Laws[] told = new Laws[1];
    system =
        new SimulatedSystem(
            1,
            SimulatedSystem.Options.DEFAULT,
            (pod, random) -> new SimulatedRuntime.Outcome(Duration.ofSeconds(10), 0),
            event -> told[0].accept(event));
    laws = new Laws(JobControllerOptions.DEFAULT, system.time(), new EventTrace(system.time()));
    told[0] = laws;
    system.start();
    system
        .cluster()
        .create(
            JobBuilder.named("j")
                .spec("'completionMode':'Indexed','completions':4,'parallelism':2")
                .command("w")
                .build());
    runWhile(history ->
        history.jobs.isEmpty()
            || history.jobs.values().stream().allMatch(job -> job.status.succeeded() == 0));
  }

  @AfterEach
  void stopListening() {
    faults.close();
  }

  private void runWhile(Predicate<History> condition) {
    boolean moves = true;
    while (moves && condition.test(laws.history)) {
      moves = step();
    }
  }

  private boolean step() {
    boolean moves = system.step();
    laws.hold();
    faults.hold();
    return moves;
  }

  private void die(Runnable death, int steps) {
    system.start();
    for (int i = 0; i < steps; i++) {
      step();
    }
    death.run();
  }

  private History.Job end() {
    system.start();
    runWhile(history -> true);
    laws.checkEnd(false);
    return laws.history.jobs.values().iterator().next();
  }

  @Test
  void eachIndexRunsOnce() {
    for (int steps = 0; steps < STEPS; steps++) {
      begin();
      system.kill();
      die(system::kill, steps);
      die(system::kill, steps / 2);
      assertThat(end().status.completedIndexes()).as("%d steps", steps).hasToString("0-3");
      assertThat(laws.history.pods).as("%d steps", steps).hasSize(4);
    }
  }

  @Test
  void afterALossOfPowerOnlyWhatWasCutOffRunsAgain() {
    for (int steps = 0; steps < STEPS; steps++) {
      begin();
      system.losePower();
      die(system::losePower, steps);
      die(system::kill, steps / 2);
      assertThat(end().status.completedIndexes()).as("%d steps", steps).hasToString("0-3");
    }
  }
}
