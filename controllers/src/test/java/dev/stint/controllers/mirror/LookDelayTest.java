package dev.stint.controllers.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LookDelayTest {
  @ParameterizedTest
  @CsvSource({
    "FailureTarget, 0, 1",
    "FailureTarget, 4, 1",
    "FailureTarget, 20, 5",
    "FailureTarget, 40, 10",
    "FailureTarget, 86400, 10",
    "FailureTarget, -3600, 1", // The clock of a worker may be ahead.
    "SuccessCriteriaMet, 20, 5",
    "Suspended, 20, 1",
  })
  void theDelayGrowsWithTheTimeSinceTheAnnouncement(String type, int seconds, int delay) {
    String since = MirrorFixtures.NOW.minusSeconds(seconds).toString();
    String status =
        "'conditions':[{'type':'%s','status':'True','lastTransitionTime':'%s'}]"
            .formatted(type, since);
    assertThat(LookDelay.of(MirrorFixtures.job("", status), MirrorFixtures.NOW))
        .isEqualTo(Duration.ofSeconds(delay));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "'conditions':[{'type':'FailureTarget','status':'True'}]"})
  void aJobThatDoesNotSayWhenHasTheShortestDelay(String status) {
    assertThat(LookDelay.of(MirrorFixtures.job("", status), MirrorFixtures.NOW))
        .isEqualTo(Duration.ofSeconds(1));
  }
}
