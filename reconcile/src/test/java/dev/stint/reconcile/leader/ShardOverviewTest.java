package dev.stint.reconcile.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.reconcile.leader.ShardOverview.Hold;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShardOverviewTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:01:00Z");

  private static KubeObject lease(String name, String holder, String renewed) {
    String text =
        "{'apiVersion':'coordination.k8s.io/v1','kind':'Lease','metadata':{'name':'%s','namespace':'kube-system'},'spec':{'holderIdentity':'%s','leaseDurationSeconds':15,'renewTime':'%s'}}";
    return KubeObject.of(Json.parse(text.formatted(name, holder, renewed).replace('\'', '"')));
  }

  @Test
  void leasesOfOneNameBelongTogether() {
    String early = "2026-01-01T00:00:30.000000Z";
    String late = "2026-01-01T00:00:59.000000Z";
    List<ShardOverview> found =
        ShardOverview.of(
            List.of(
                lease("a", "replicas-with-3-shards", late),
                lease("a-shard-0", "x", late),
                lease("a-shard-1", "y", early),
                lease("a-shard-7", "x", late),
                lease("a-replica-2", "y", early),
                lease("a-replica-1", "x", late),
                lease("b", "leads-alone", late),
                lease("b-shard-0", "z", late)));
    assertThat(found).hasSize(1);
    ShardOverview only = found.getFirst();
    assertThat(only.lease().name()).isEqualTo("a");
    assertThat(only.shards()).extracting(Hold::holder).containsExactly("x", "y", "");
    assertThat(only.shards().stream().map(each -> each.isHeld(NOW)))
        .containsExactly(true, false, false);
    assertThat(only.replicas()).extracting(Hold::holder).containsExactly("x", "y");
    assertThat(only.shardsOf("x", NOW)).containsExactly(0);
    assertThat(only.shardsOf("y", NOW)).isEmpty();
  }

  @Test
  void aHolderTellsTheNumberOfShards() {
    assertThat(LeaderElectionConfig.sharding("replicas-with-6-shards")).isEqualTo(new Sharding(6));
    for (String other :
        List.of(
            "",
            "host_1",
            "replicas-with-x-shards",
            "replicas-with-0-shards",
            "replicas-with-99-shards")) {
      assertThat(LeaderElectionConfig.sharding(other)).as(other).isNull();
    }
  }
}
