package dev.stint.cli.flag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import org.junit.jupiter.api.Test;

class FeatureGatesConverterTest {
  @Test
  void changesTheGatesThatAreNamedAndKeepsTheDefaultOfAllOthers() {
    assertThat(FeatureGatesConverter.parse("JobSuccessPolicy=false,JobManagedBy=true"))
        .isEqualTo(FeatureGates.DEFAULT.with(Gate.JobSuccessPolicy, false));
  }

  @Test
  void theLaterOfTwoValuesWins() {
    assertThat(FeatureGatesConverter.parse("JobManagedBy=false, JobManagedBy=true"))
        .isEqualTo(FeatureGates.DEFAULT);
  }

  @Test
  void listsTheKnownGatesIfOneIsUnknown() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FeatureGatesConverter.parse("JobSucessPolicy=true"))
        .withMessage(
            "unknown feature gate \"JobSucessPolicy\"; the feature gates are"
                + " ClusterTrustBundleProjection,"
                + " ContainerStopSignals, CoordinatedLeaderElection, CronJobsNextScheduleTime,"
                + " ElasticIndexedJob,"
                + " GenericWorkload, JobBackoffLimitPerIndex, JobManagedBy, JobPodFailurePolicy,"
                + " JobPodReplacementPolicy, JobSuccessPolicy, JobTrackingWithoutLingeringPods,"
                + " MutablePodResourcesForSuspendedJobs,"
                + " MutableSchedulingDirectivesForSuspendedJobs, PodCertificateRequest,"
                + " PodFailurePolicyName");
  }

  @Test
  void refusesAValueThatIsNeitherTrueNorFalse() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FeatureGatesConverter.parse("JobManagedBy=yes"))
        .withMessage("feature gate JobManagedBy must be true or false, not \"yes\"");
  }

  @Test
  void refusesASettingWithoutAValue() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FeatureGatesConverter.parse("JobManagedBy=true,"))
        .withMessage("\"\" is not of the form NAME=true or NAME=false");
  }
}
