package dev.stint.model.cron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.field.FieldPath;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class CronJobWarningsTest {
  @Test
  void aTimeZoneBelongsIntoItsField() {
    ObjectNode cronJob = Json.object();
    cronJob.putObject("metadata").put("name", "a.b");
    cronJob.putObject("spec").put("schedule", "@hourly");
    assertThat(CronJobWarnings.create(FieldPath.root(cronJob)))
        .singleElement()
        .asString()
        .endsWith(": [must not contain dots]");
    assertThat(CronJobWarnings.update(FieldPath.root(cronJob))).isEmpty();
    cronJob.withObjectProperty("spec").put("schedule", "TZ=UTC 0 0 * * *");
    assertThat(CronJobWarnings.update(FieldPath.root(cronJob)))
        .singleElement()
        .asString()
        .startsWith("CRON_TZ or TZ used in spec.spec.schedule is not officially supported, see ");
  }

  @Test
  void thePodTemplateOfACronJobHasAnotherPath() {
    ObjectNode cronJob = Json.object();
    cronJob
        .withObject("/spec/jobTemplate/spec/template/spec")
        .put("terminationGracePeriodSeconds", -1);
    assertThat(CronJobWarnings.update(FieldPath.root(cronJob)))
        .singleElement()
        .asString()
        .startsWith("spec.jobTemplate.spec.template.spec.terminationGracePeriodSeconds: ");
  }
}
