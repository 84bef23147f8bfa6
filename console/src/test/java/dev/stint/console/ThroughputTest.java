package dev.stint.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ThroughputTest {
  @Test
  void podsAreCountedInTheSpanOfTheirEndAndOnlyChangesAreReturned() {
    Throughput throughput = new Throughput(Duration.ZERO);
    throughput.add(Instant.ofEpochMilli(10_100), true);
    throughput.add(Instant.ofEpochMilli(10_900), false);
    throughput.add(Instant.ofEpochMilli(12_000), true);
    assertThat(throughput.changes(0)).hasToString("{\"width\":1,\"spans\":[[10,1,1],[12,1,0]]}");
    long told = throughput.version();
    throughput.add(Instant.ofEpochMilli(12_999), true);
    assertThat(throughput.changes(told)).hasToString("{\"width\":1,\"spans\":[[12,2,0]]}");
    assertThat(throughput.changes(throughput.version()).get("spans")).isEmpty();
  }

  @Test
  void oldJobsHaveWiderSpans() {
    Throughput throughput = new Throughput(Duration.ofDays(2));
    throughput.add(Instant.ofEpochSecond(301), true);
    throughput.add(Instant.ofEpochSecond(599), true);
    assertThat(throughput.changes(0)).hasToString("{\"width\":300,\"spans\":[[300,2,0]]}");
  }
}
