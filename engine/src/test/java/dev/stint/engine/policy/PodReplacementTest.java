package dev.stint.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import dev.stint.model.job.JobSpec;
import org.junit.jupiter.api.Test;

class PodReplacementTest {
  private static boolean onlyStopped(String spec, FeatureGates gates) {
    return PodReplacement.waitsForStop(JobSpec.read(Json.parse(spec.replace('\'', '"'))), gates);
  }

  @Test
  @Covers("TR-19")
  void byDefaultATerminatingPodCountsAsFailed() {
    assertThat(onlyStopped("{}", FeatureGates.DEFAULT)).isFalse();
    assertThat(onlyStopped("{'podReplacementPolicy':'TerminatingOrFailed'}", FeatureGates.DEFAULT))
        .isFalse();
  }

  @Test
  void underPolicyFailedAPodHasToStopFirst() {
    assertThat(onlyStopped("{'podReplacementPolicy':'Failed'}", FeatureGates.DEFAULT)).isTrue();
    FeatureGates off = FeatureGates.DEFAULT.with(Gate.JobPodReplacementPolicy, false);
    assertThat(onlyStopped("{'podReplacementPolicy':'Failed'}", off)).isFalse();
  }

  @Test
  void aPodFailurePolicyWaitsForTheEndOfThePod() {
    assertThat(onlyStopped("{'podFailurePolicy':{'rules':[]}}", FeatureGates.DEFAULT)).isTrue();
  }

  @Test
  void itDoesSoWithoutTheGateToo() {
    FeatureGates off = FeatureGates.DEFAULT.with(Gate.JobPodReplacementPolicy, false);
    assertThat(onlyStopped("{'podFailurePolicy':{'rules':[]}}", off)).isTrue();
  }
}
