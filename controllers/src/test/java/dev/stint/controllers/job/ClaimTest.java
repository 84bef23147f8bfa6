package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ClaimTest {
  private static final Claim OTHER = new Claim("example.com/other");

  @Test
  @Covers({"MB-01", "MB-02"})
  void theBuiltInControllerTakesJobsThatNameItOrNobody() {
    assertThat(Claim.BUILT_IN.covers(managedBy(null), FeatureGates.DEFAULT)).isTrue();
    assertThat(Claim.BUILT_IN.covers(managedBy(Names.BUILT_IN_CONTROLLER), FeatureGates.DEFAULT))
        .isTrue();
    assertThat(Claim.BUILT_IN.covers(managedBy("example.com/other"), FeatureGates.DEFAULT))
        .isFalse();
  }

  @Test
  @Covers("MB-02")
  void anotherControllerTakesJobsThatNameItAndNoOthers() {
    assertThat(OTHER.covers(managedBy("example.com/other"), FeatureGates.DEFAULT)).isTrue();
    assertThat(OTHER.covers(managedBy(null), FeatureGates.DEFAULT)).isFalse();
    assertThat(OTHER.covers(managedBy(Names.BUILT_IN_CONTROLLER), FeatureGates.DEFAULT)).isFalse();
  }

  @Test
  @Covers({"MB-30", "MB-49"})
  void withTheGateOffTheBuiltInControllerTakesAllAndTheFieldStays() {
    FeatureGates off = FeatureGates.DEFAULT.with(Gate.JobManagedBy, false);
    KubeObject job = managedBy("example.com/other");
    assertThat(Claim.BUILT_IN.covers(job, off)).isTrue();
    assertThat(OTHER.covers(job, off)).isFalse();
    assertThat(Json.text(job.spec(), "managedBy")).isEqualTo("example.com/other");
    assertThat(OTHER.covers(job, off.with(Gate.JobManagedBy, true))).isTrue();
  }

  private static KubeObject managedBy(@Nullable String name) {
    String member = name == null ? "" : "\"managedBy\": \"" + name + "\"";
    return KubeObject.of(Json.parse("{\"spec\": {" + member + "}}"));
  }
}
