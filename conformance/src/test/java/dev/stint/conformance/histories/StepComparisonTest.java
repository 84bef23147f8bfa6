package dev.stint.conformance.histories;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.conformance.histories.HistoryAction.Verb;
import dev.stint.conformance.histories.JobHistory.Outcome;
import dev.stint.conformance.histories.JobHistory.Step;
import dev.stint.model.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepComparisonTest {
  private static final String RUNNING = "active=2 ready=0 terminating=0 started";
  private static final String LISTED = "active=1 ready=0 terminating=0 uncounted=0/1 started";
  private static final String COUNTED = "active=1 ready=0 terminating=0 failed=1 started";
  private static final String ENDING = COUNTED + " FailureTarget=True:BackoffLimitExceeded";

  @Test
  void aPodMayBeListedFirstOrCountedAtOnce() {
    StepComparison step = step(List.of(RUNNING, LISTED, COUNTED), List.of(RUNNING, COUNTED));
    assertThat(step.agrees()).isTrue();
    assertThat(step.hasSameWrites()).isFalse();
  }

  @Test
  void anotherReasonDiffers() {
    String other = ENDING.replace("BackoffLimitExceeded", "DeadlineExceeded");
    assertThat(step(List.of(RUNNING, ENDING), List.of(RUNNING, other)).agrees()).isFalse();
  }

  @Test
  void aDecisionThatIsMissingOnTheWayDiffers() {
    String ended = ENDING + " Failed=True:BackoffLimitExceeded";
    StepComparison step = step(List.of(RUNNING, ENDING, ended), List.of(RUNNING, ended));
    assertThat(step.hasSameStatus()).isTrue();
    assertThat(step.agrees()).isFalse();
  }

  @Test
  void aCountThatStaysWrongDiffers() {
    String wrong = COUNTED.replace("active=1", "active=2");
    StepComparison step = step(List.of(COUNTED), List.of(wrong));
    assertThat(step.hasSameOrder()).isTrue();
    assertThat(step.agrees()).isFalse();
  }

  private static StepComparison step(List<String> theirs, List<String> ours) {
    return StepComparison.of(history(theirs), history(ours)).getFirst();
  }

  private static JobHistory history(List<String> statuses) {
    Step step = new Step(0, HistoryAction.of(Verb.CREATE), new Outcome(statuses, "2x-Pt"));
    return new JobHistory(1, Json.object(), List.of(step), List.of(), 1);
  }
}
