package dev.stint.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class StatusCountRulesTest {
  @Test
  void succeededMayFallWhereAnIndexedJobCanBeScaledDown() {
    assertThat(fallingSucceeded("'completionMode':'Indexed','completions':2,'parallelism':2"))
        .isEmpty();
  }

  @Test
  @Covers("MB-19")
  void succeededMayNotFallOtherwise() {
    for (String spec :
        List.of(
            "'completionMode':'Indexed','completions':2,'parallelism':1",
            "'completionMode':'NonIndexed','completions':2,'parallelism':2")) {
      assertThat(fallingSucceeded(spec))
          .extracting(FieldError::path)
          .containsExactly("status.succeeded");
    }
  }

  @Test
  void twoScaleDownsInARowDoNotWedgeAStatusWrite() {
    ObjectNode job =
        JobFixtures.stored("completionMode: Indexed", "completions: 10", "parallelism: 10");
    ObjectNode ran =
        JobFixtures.withStatus(
            job, "startTime: 2026-01-01T00:00:00Z", "succeeded: 8", "completedIndexes: 0-7");
    for (int parallelism : new int[] {4, 2}) {
      ObjectNode scaled = ran.deepCopy();
      ((ObjectNode) scaled.get("spec")).put("completions", 4).put("parallelism", parallelism);
      ObjectNode counted =
          JobFixtures.withStatus(
              scaled, "startTime: 2026-01-01T00:00:00Z", "succeeded: 4", "completedIndexes: 0-3");
      assertThat(JobStatusValidation.update(scaled, counted, FeatureGates.DEFAULT)).isEmpty();
    }
  }

  private static List<FieldError> fallingSucceeded(String spec) {
    return JobStatusValidation.update(job(spec, 3), job(spec, 2), FeatureGates.DEFAULT);
  }

  private static ObjectNode job(String spec, int succeeded) {
    return Json.parse(
        ("{'spec':{" + spec + "},'status':{'succeeded':" + succeeded + "}}").replace('\'', '"'));
  }
}
