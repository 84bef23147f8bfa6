package dev.stint.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class ManagedByRulesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes.io/job-controller",
        "acme.io/foo",
        "acme.io/foo/bar",
        "acme.io/%2f",
        "acme.io/~ok"
      })
  @Covers({"MB-01", "MB-03"})
  void aDomainAndAPathAreAccepted(String name) {
    assertThat(managedBy(name)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "foo",
        "/foo",
        "foo/",
        "Example.com/foo",
        "a..b/c",
        "-x.io/y",
        "x.io/a b",
        "x.io/?"
      })
  @Covers("MB-03")
  void anythingElseIsRejected(String name) {
    assertThat(managedBy(name)).containsExactly("spec.managedBy Invalid");
  }

  @Test
  @Covers("MB-03")
  void emptyIsNotTheSameAsAbsent() {
    assertThat(managedBy("")).containsExactly("spec.managedBy Required");
  }

  @Test
  @Covers("MB-04")
  void sixtyThreeCharactersAreAcceptedAndNotOneMore() {
    assertThat(managedBy("x.io/" + "a".repeat(58))).isEmpty();
    assertThat(managedBy("x.io/" + "a".repeat(59))).containsExactly("spec.managedBy TooLong");
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  @Covers({"MB-05", "MB-50"})
  void itCanNeitherBeAddedNorEditedNorRemoved(String suspend) {
    ObjectNode none = JobFixtures.stored("suspend: " + suspend);
    ObjectNode one = JobFixtures.stored("suspend: " + suspend, "managedBy: x.io/one");
    ObjectNode two = JobFixtures.stored("suspend: " + suspend, "managedBy: x.io/two");
    assertThat(JobUpdates.faults(none, one)).containsExactly("spec.managedBy Invalid");
    assertThat(JobUpdates.faults(one, two)).containsExactly("spec.managedBy Invalid");
    assertThat(JobUpdates.faults(one, none)).containsExactly("spec.managedBy Invalid");
    assertThat(JobUpdates.faults(one, one)).isEmpty();
  }

  @Test
  @Covers({"MB-31", "MB-51"})
  void withTheGateOffItIsDroppedFromNewJobsAndKeptInOldOnes() {
    FeatureGates off = FeatureGates.DEFAULT.with(Gate.JobManagedBy, false);
    ObjectNode created = JobFixtures.written("managedBy: x.io/one");
    assertThat(JobAdmission.create(created, JobFixtures.UID, off)).isEmpty();
    assertThat(created.get("spec").has("managedBy")).isFalse();
    ObjectNode stored = JobFixtures.stored("managedBy: x.io/one");
    stored.withObjectProperty("metadata").put("resourceVersion", "1");
    ObjectNode changed = stored.deepCopy();
    assertThat(JobAdmission.update(stored, changed, off)).isEmpty();
    assertThat(changed.at("/spec/managedBy").stringValue()).isEqualTo("x.io/one");
  }

  private static List<String> managedBy(String name) {
    return JobFixtures.faults("managedBy: \"" + name + "\"");
  }
}
