package dev.stint.cli.plane;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestOptionsTest {
  @ParameterizedTest
  @CsvSource({"5, 64", "100, 200", "500, 1000", "5000, 1000", "0, 1000"})
  void jobsAreWorkedOnAsRequestsAllow(double perSecond, int syncs) {
    RequestOptions options = new RequestOptions();
    options.perSecond = perSecond;
    assertThat(options.jobSyncs()).isEqualTo(syncs);
  }
}
