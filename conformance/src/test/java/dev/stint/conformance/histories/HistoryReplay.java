package dev.stint.conformance.histories;

import dev.stint.conformance.histories.JobHistory.Outcome;
import dev.stint.conformance.histories.JobHistory.Step;
import java.util.ArrayList;
import java.util.List;

/** The same history under our Job controller. */
final class HistoryReplay {
  private HistoryReplay() {}

  /** Lets the same happen at the same times, and returns what our controller makes of it. */
  static JobHistory of(JobHistory recorded) {
    SimulatedWorld world = new SimulatedWorld();
    JobObserver observer = new JobObserver(world::millis);
    world.observe(observer);
    JobPlayer player = new JobPlayer(world, observer, "job-" + recorded.id());
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < recorded.steps().size(); i++) {
      Step step = recorded.steps().get(i);
      world.passUntil(step.at());
      if (i == 0) {
        player.create(recorded.job());
      } else {
        player.play(step.fate());
      }
      boolean last = i + 1 == recorded.steps().size();
      world.passUntil(last ? recorded.end() : recorded.steps().get(i + 1).at());
      Outcome outcome = player.outcome();
      steps.add(new Step(step.at(), step.fate(), outcome));
    }
    return new JobHistory(recorded.id(), recorded.job(), steps, observer.made(), recorded.end());
  }
}
