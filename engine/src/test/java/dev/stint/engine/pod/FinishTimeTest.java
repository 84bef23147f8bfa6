package dev.stint.engine.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FinishTimeTest {
  private static String finishTime(String metadata, String status) {
    String pod =
        "{'metadata':{'uid':'u','creationTimestamp':'2026-01-01T00:00:00Z'"
            + metadata
            + "},'status':{'phase':'Failed'"
            + status
            + "}}";
    return Timestamps.format(
        PodView.of(KubeObject.of(Json.parse(pod.replace('\'', '"')))).finishTime());
  }

  private static String container(String time) {
    return "{'state':{'terminated':{'exitCode':1,'finishedAt':'2026-01-01T" + time + "Z'}}}";
  }

  private static final String NOT_READY =
      ",'conditions':[{'type':'Ready','status':'False','lastTransitionTime':'2026-01-01T00:00:30Z'}]";
  private static final String DELETED =
      ",'deletionTimestamp':'2026-01-01T00:01:00Z','deletionGracePeriodSeconds':20";

  @Test
  @Covers("BI-33")
  void itIsTheEndOfTheLastContainer() {
    String containers =
        ",'containerStatuses':[" + container("00:00:10") + "," + container("00:00:20") + "]";
    assertThat(finishTime(DELETED, NOT_READY + containers)).isEqualTo("2026-01-01T00:00:20Z");
  }

  @Test
  @Covers("BI-33")
  void sidecarsEndAfterTheContainersAndCount() {
    String sidecar = ",'initContainerStatuses':[" + container("00:00:25") + "]";
    String containers = ",'containerStatuses':[" + container("00:00:20") + "]";
    assertThat(finishTime("", sidecar + containers)).isEqualTo("2026-01-01T00:00:25Z");
  }

  @Test
  @Covers("BI-33")
  void otherwiseItIsTheTimeAtWhichThePodBecameUnready() {
    String containers =
        ",'containerStatuses':[" + container("00:00:10") + ",{'state':{'running':{}}}]";
    assertThat(finishTime(DELETED, NOT_READY + containers)).isEqualTo("2026-01-01T00:00:30Z");
  }

  @Test
  @Covers("BI-33")
  void otherwiseItIsTheDeletionTime() {
    assertThat(finishTime(DELETED, "")).isEqualTo("2026-01-01T00:00:40Z");
  }

  @Test
  @Covers({"BI-33", "BI-34"})
  void elseItsCreationAndNeverNow() {
    assertThat(finishTime("", "")).isEqualTo("2026-01-01T00:00:00Z");
  }

  private static String condition(String type, String time) {
    return ",'conditions':[{'type':'stint.dev/%s','status':'True','lastTransitionTime':'%s'}]"
        .formatted(type, "2026-01-01T" + time + "Z");
  }

  @ParameterizedTest
  @ValueSource(strings = {"StartupDeadlineExceeded", "RestartLimitExceeded"})
  void thePodThatItsJobEndedFinishedThen(String type) {
    String containers = ",'containerStatuses':[" + container("00:00:20") + "]";
    assertThat(finishTime("", condition(type, "00:00:10") + containers))
        .isEqualTo("2026-01-01T00:00:10Z");
  }

  @Test
  @Covers("BI-33")
  void containersMayEndInAnyOrderAndAnInitContainerNever() {
    String containers =
        ",'containerStatuses':[" + container("00:00:20") + "," + container("00:00:10") + "]";
    String init = ",'initContainerStatuses':[{'state':{'waiting':{}}}]";
    assertThat(finishTime("", containers + init)).isEqualTo("2026-01-01T00:00:20Z");
  }

  @Test
  void aPodWhoseContainersAreUnknownBecameUnready() {
    assertThat(finishTime("", NOT_READY + ",'containerStatuses':[]"))
        .isEqualTo("2026-01-01T00:00:30Z");
  }
}
