package dev.stint.model.job;

import dev.stint.model.FeatureGates;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Changes of Jobs for tests. */
final class JobUpdates {
  private JobUpdates() {}

  /** Returns the faults of replacing one Job by another, as "path Cause". */
  static List<String> faults(ObjectNode before, ObjectNode after) {
    return JobFixtures.causes(
        JobAdmission.update(revised(before), revised(after), FeatureGates.DEFAULT));
  }

  /** Returns the faults of writing a status, as "path Cause". */
  static List<String> statusFaults(ObjectNode before, ObjectNode after) {
    return JobFixtures.causes(
        JobAdmission.updateStatus(before, after.deepCopy(), FeatureGates.DEFAULT));
  }

  private static ObjectNode revised(ObjectNode job) {
    ObjectNode copy = job.deepCopy();
    copy.withObjectProperty("metadata").put("resourceVersion", "1");
    return copy;
  }
}
