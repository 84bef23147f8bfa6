package dev.stint.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.Json;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobStatus;
import org.junit.jupiter.api.Test;

class VerdictTest {
  private static final PolicyInput BOTH_HOLD =
      PolicyInputs.indexes(
          PolicyInputs.of(
              "{'completionMode':'Indexed','completions':3,'backoffLimitPerIndex':0,'maxFailedIndexes':0,"
                  + "'successPolicy':{'rules':[{'succeededIndexes':'0'}]}}"),
          IndexSet.of(0),
          IndexSet.of(1));

  private static JobStatus status(String condition) {
    return JobStatus.read(
        Json.parse(
            "{\"conditions\":[{\"type\":\""
                + condition
                + "\",\"status\":\"True\",\"reason\":\"Before\"}]}"));
  }

  @Test
  @Covers({"SP-35", "SP-57"})
  void whatFailsTheJobWinsOverTheSuccessPolicy() {
    assertThat(Verdict.of(JobStatus.EMPTY, BOTH_HOLD))
        .isInstanceOfSatisfying(
            Verdict.Interim.class,
            interim -> assertThat(interim.reason()).isEqualTo("MaxFailedIndexesExceeded"));
  }

  @Test
  @Covers({"SP-34", "SP-36"})
  void whatWasDecidedBeforeStands() {
    for (String interim : new String[] {"SuccessCriteriaMet", "FailureTarget"}) {
      assertThat(Verdict.of(status(interim), BOTH_HOLD))
          .isEqualTo(new Verdict.Interim(interim, "Before", ""));
    }
  }

  @Test
  @Covers({"SP-45", "MB-14"})
  void aFinishedJobIsNotJudgedAgain() {
    assertThat(Verdict.of(status("Complete"), BOTH_HOLD)).isEqualTo(new Verdict.Final());
    assertThat(Verdict.of(status("Failed"), BOTH_HOLD)).isEqualTo(new Verdict.Final());
  }
}
