package dev.stint.cli.plane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.Recorded;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MetricsServingTest {
  @Test
  void eachShardSaysWhetherItIsHeldHere() throws Exception {
    Recorded printed = Recorded.plain();
    InetSocketAddress any = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    try (MetricsServing serving = new MetricsServing(any)) {
      serving.reportShards(3, () -> Set.of(0, 2));
      serving.open(() -> true, () -> true, printed.console());
      String address = printed.err().getFirst().replace("stint: metrics: ", "");
      try (var body = URI.create(address).toURL().openStream()) {
        assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8).lines())
            .contains(
                "stint_shards_held 2.0",
                "stint_shard_held{shard=\"0\"} 1.0",
                "stint_shard_held{shard=\"1\"} 0.0",
                "stint_shard_held{shard=\"2\"} 1.0");
      }
    }
  }
}
