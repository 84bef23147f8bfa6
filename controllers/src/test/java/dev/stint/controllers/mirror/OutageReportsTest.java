package dev.stint.controllers.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.KubeObject;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class OutageReportsTest {
  private final OutageReports reports = new OutageReports();
  private final KubeObject job = MirrorFixtures.job("", "");

  private static KubeObject deleted(KubeObject job) {
    ObjectNode tree = job.copy();
    tree.withObjectProperty("metadata").put("deletionTimestamp", "2026-01-01T11:59:00Z");
    return KubeObject.of(tree);
  }

  @Test
  void aJobIsToldOnceAndOnceMoreWhenItIsDeleted() {
    assertThat(reports.has(job)).isFalse();
    reports.add(job);
    assertThat(reports.has(job)).isTrue();
    assertThat(reports.has(deleted(job))).isFalse();
    reports.add(deleted(job));
    assertThat(reports.has(deleted(job))).isTrue();
  }

  @Test
  void aJobIsToldOfTheNextOutage() {
    reports.add(job);
    reports.clear();
    assertThat(reports.has(job)).isFalse();
  }

  @Test
  void aJobThatIsGoneIsForgotten() {
    reports.add(job);
    reports.add(deleted(job));
    reports.forget("other");
    assertThat(reports.has(job)).isTrue();
    reports.forget(job.uid());
    assertThat(reports.has(job)).isFalse();
    assertThat(reports.has(deleted(job))).isFalse();
  }
}
