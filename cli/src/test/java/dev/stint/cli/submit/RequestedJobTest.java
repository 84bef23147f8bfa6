package dev.stint.cli.submit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.document.Documents;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RequestedJobTest {
  @Test
  void equivalentDocumentsHaveTheSameDigest() {
    assertThat(digest("{overhead: {}, containers: [{name: a, image: b, resources: {claims: []}}]}"))
        .isEqualTo(digest("{containers: [{image: b, name: a, resources: {}}]}"));
    assertThat(digest("{overhead: {cpu: 1}}")).isNotEqualTo(digest("{overhead: {}}"));
  }

  @Test
  void onlyARuleAboutDisruptionsDecidesOnThem() {
    assertThat(job("template: {spec: {}}").decidesOnDisruptions()).isFalse();
    assertThat(
            job("podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {values: [1]}}]}")
                .decidesOnDisruptions())
        .isFalse();
    assertThat(
            job("podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {values: [1]}},"
                    + " {action: Count, onPodConditions: [{type: DisruptionTarget}]}]}")
                .decidesOnDisruptions())
        .isTrue();
  }

  private static String digest(String spec) {
    return job("template: {spec: %s}".formatted(spec)).digest();
  }

  private static RequestedJob job(String spec) {
    String text =
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: x}\nspec: {%s}".formatted(spec);
    return RequestedJob.of(
        Documents.read("test", text.getBytes(StandardCharsets.UTF_8)).getFirst());
  }
}
