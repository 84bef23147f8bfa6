package dev.stint.model.job.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class SuccessOptionsTest {
  private static final String INDEXED = "'completionMode':'Indexed','completions':10";
  private static final String RULES =
      INDEXED + ",'successPolicy':{'rules':[{'succeededIndexes':'0'},{'succeededCount':5}]}";
  private static final String PER_INDEX = INDEXED + ",'backoffLimitPerIndex':1";

  /** A Job with annotations: names and values in turn. */
  private static ObjectNode job(String spec, String... annotations) {
    ObjectNode job = Json.object();
    job.set("spec", Json.parse(("{" + spec + "}").replace('\'', '"')));
    ObjectNode map = job.putObject("metadata").putObject("annotations");
    for (int i = 0; i < annotations.length; i += 2) {
      map.put("stint.dev/" + annotations[i], annotations[i + 1]);
    }
    return job;
  }

  private static SuccessOptions options(ObjectNode job) {
    return JobOptions.of(KubeObject.of(job)).success();
  }

  private static String faults(ObjectNode job) {
    FieldErrors faults = new FieldErrors();
    JobOptions.check(FieldPath.root(job), faults);
    return faults.list().toString();
  }

  @Test
  @Covers({"EX-05", "EX-07"})
  void goalsAndReasonsAreRead() {
    ObjectNode job =
        job(
            RULES,
            "success-percentage",
            "80%",
            "success-reason",
            "LeaderSucceeded, WorkersSucceeded,Enough",
            "linger",
            "ContinueWithRecreations");
    assertThat(faults(job)).isEqualTo("[]");
    assertThat(options(job))
        .isEqualTo(
            new SuccessOptions(
                80,
                null,
                List.of("LeaderSucceeded", "WorkersSucceeded", "Enough"),
                Linger.ContinueWithRecreations,
                false));
  }

  @Test
  @Covers({"EX-12", "EX-28"})
  void jobsWithoutIndexesCountPods() {
    ObjectNode job = job("'completions':3", "success-count", "2", "linger", "Continue");
    assertThat(faults(job)).isEqualTo("[]");
    assertThat(options(job))
        .isEqualTo(new SuccessOptions(null, 2, List.of(), Linger.Continue, false));
    ObjectNode other =
        job(PER_INDEX + ",'maxFailedIndexes':2", "complete-with-failed-indexes", "true");
    assertThat(options(other).withFailedIndexes()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "success-percentage, 0%, needs a percentage from 1% up to 100%",
    "success-percentage, 101%, needs a percentage from 1% up to 100%",
    "success-percentage, 12.5%, needs a percentage from 1% up to 100%",
    "success-count, 5, is for Jobs without indexes",
    "success-reason, Enough, needs a spec.successPolicy",
    "linger, Continue, needs a spec.successPolicy",
    "linger, continue, 'needs Terminate, Continue or ContinueWithRecreations'",
    "complete-with-failed-indexes, true, needs spec.backoffLimitPerIndex and spec.maxFailedIndexes",
    "complete-with-failed-indexes, 1, needs \"true\" or \"false\""
  })
  void anIndexedJobMayNotSay(String name, String value, String complaint) {
    ObjectNode job = job(INDEXED, name, value);
    assertThat(faults(job)).contains("[stint.dev/" + name + "]", complaint);
    assertThat(options(job)).isEqualTo(SuccessOptions.NONE);
  }

  @ParameterizedTest
  @CsvSource({
    "success-percentage, 50%, needs spec.completions",
    "success-count, 0, needs a number of pods from 1",
    "success-count, many, needs a number of pods from 1"
  })
  void aWorkQueueMayNotSay(String name, String value, String complaint) {
    assertThat(faults(job("'parallelism':2", name, value))).contains(complaint);
  }

  @Test
  @Covers("EX-03")
  void podsWithoutIndexesAreNotReplacedAfterTheSuccess() {
    ObjectNode job =
        job("'completions':3", "success-count", "1", "linger", "ContinueWithRecreations");
    assertThat(faults(job))
        .contains("can be ContinueWithRecreations for Indexed Jobs only: without indexes, nothing");
    assertThat(options(job).linger()).isEqualTo(Linger.Terminate);
  }

  @ParameterizedTest
  @CsvSource({
    "leaderSucceeded, needs a name such as LeaderSucceeded",
    "'A,,B', needs a name such as LeaderSucceeded",
    "Leader Succeeded, needs a name such as LeaderSucceeded",
    "CompletionsReached, be CompletionsReached",
    "'A, B, C', has 3 names; there are fewer rules: 2"
  })
  @Covers("EX-05")
  void reasonsAreNamesOfRules(String value, String complaint) {
    assertThat(faults(job(RULES, "success-reason", value))).contains(complaint);
  }

  @Test
  void moreThanTheCompletionsNeverSucceeds() {
    assertThat(faults(job("'completions':3", "success-count", "4")))
        .contains("needs a number of pods up to spec.completions, which is 3");
  }
}
