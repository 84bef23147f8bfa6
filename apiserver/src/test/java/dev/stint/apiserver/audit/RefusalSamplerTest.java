package dev.stint.apiserver.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RefusalSamplerTest {
  private Instant now = Instant.EPOCH;

  @Test
  void aHundredAreAdmittedAndThenOneASecond() {
    RefusalSampler sampler = new RefusalSampler(() -> now);
    assertThat(admitted(sampler, 1000)).isEqualTo(100);
    now = now.plusMillis(999);
    assertThat(admitted(sampler, 1000)).isZero();
    now = now.plusMillis(2001);
    assertThat(admitted(sampler, 1000)).isEqualTo(3);
    now = now.plusSeconds(86_400);
    assertThat(admitted(sampler, 1000)).isEqualTo(100);
  }

  private static long admitted(RefusalSampler sampler, int requests) {
    return IntStream.range(0, requests).filter(_ -> sampler.admits()).count();
  }
}
