package dev.stint.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.field.FieldPath;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class JobWarningsTest {
  private static FieldPath job(String name, int completions) {
    ObjectNode job = Json.object();
    job.putObject("metadata").put("name", name);
    ObjectNode spec = job.putObject("spec");
    spec.put("completionMode", "Indexed")
        .put("completions", completions)
        .put("parallelism", 10_001);
    spec.putObject("template").putObject("spec").put("terminationGracePeriodSeconds", -1);
    return FieldPath.root(job);
  }

  @Test
  void aNameIsWarnedAboutOnceAndATemplateEachTime() {
    assertThat(JobWarnings.create(job("a.b", 1)))
        .satisfiesExactly(
            name ->
                assertThat(name)
                    .isEqualTo(
                        "metadata.name: this is used in Pod names and hostnames, which can result"
                            + " in surprising behavior; a DNS label is recommended: [must not"
                            + " contain dots]"),
            template ->
                assertThat(template)
                    .startsWith("spec.template.spec.terminationGracePeriodSeconds: "));
    assertThat(JobWarnings.update(job("a.b", 1))).hasSize(1);
  }

  @Test
  void veryManyIndexesAtOnceAreTooManyToTrack() {
    assertThat(JobWarnings.update(job("a", 100_000))).hasSize(1);
    assertThat(JobWarnings.update(job("a", 100_001)))
        .hasSize(2)
        .first()
        .asString()
        .startsWith("spec: In Indexed Jobs with a number of completions higher than 10^5 and");
  }
}
