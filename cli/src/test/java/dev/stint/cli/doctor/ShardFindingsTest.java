package dev.stint.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ShardFindingsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");
  private static final String SOON_AGO = "2026-01-01T00:59:58.000000Z";
  private static final String LONG_AGO = "2026-01-01T00:58:00.000000Z";

  private final List<KubeObject> leases = new ArrayList<>();

  private ShardFindingsTest lease(String name, String holder, String renewed) {
    String text =
        "{'apiVersion':'coordination.k8s.io/v1','kind':'Lease','metadata':{'name':'stint-a%s','namespace':'kube-system'},'spec':{'holderIdentity':'%s','leaseDurationSeconds':15,'renewTime':'%s'}}";
    leases.add(KubeObject.of(Json.parse(text.formatted(name, holder, renewed).replace('\'', '"'))));
    return this;
  }

  private List<String> findings() {
    return ShardFindings.of(leases, NOW).stream()
        .flatMap(
            each -> Stream.of(each.state().word() + " | " + each.subject() + " | " + each.found()))
        .toList();
  }

  private List<String> advice() {
    return ShardFindings.of(leases, NOW).stream()
        .flatMap(each -> Stream.ofNullable(each.advice()))
        .toList();
  }

  @Test
  void withoutShardsThereIsNothingToSay() {
    lease("", "host_1", SOON_AGO);
    assertThat(findings())
        .containsExactly("ok | shards | no replicas share Jobs by stint controller --shards here");
  }

  @Test
  void eachReplicaHasItsShards() {
    lease("", "replicas-with-3-shards", SOON_AGO);
    lease("-replica-1", "x", SOON_AGO).lease("-replica-2", "y", SOON_AGO);
    lease("-shard-0", "x", SOON_AGO).lease("-shard-1", "y", SOON_AGO);
    lease("-shard-2", "x", SOON_AGO);
    assertThat(findings())
        .containsExactly(
            "ok | shards of kube-system/stint-a | 3 shards, 2 live replicas",
            "ok | replica x | has shards 0, 2",
            "ok | replica y | has shard 1");
    assertThat(advice()).isEmpty();
  }

  @Test
  void aShardWithoutAnOwnerIsNamedWithItsFormerOne() {
    lease("", "replicas-with-3-shards", SOON_AGO);
    lease("-replica-1", "x", SOON_AGO).lease("-replica-2", "y", LONG_AGO);
    lease("-shard-0", "x", SOON_AGO)
        .lease("-shard-1", "y", LONG_AGO)
        .lease("-shard-2", "", SOON_AGO);
    assertThat(findings())
        .containsExactly(
            "ok | shards of kube-system/stint-a | 3 shards, 1 live replica",
            "ok | replica x | has shard 0",
            "note | replica y | is gone: its lease expired 1m45s ago",
            "note | shard 1 of stint-a | has no owner: its lease expired 1m45s ago, y had it",
            "note | shard 2 of stint-a | has no owner: its lease was released");
    assertThat(advice()).hasSize(3).last().asString().startsWith("a live replica takes it");
  }

  @Test
  void withoutReplicasOneHasToBeStarted() {
    lease("", "replicas-with-1-shards", LONG_AGO).lease("-replica-1", "x", LONG_AGO);
    assertThat(findings())
        .containsExactly(
            "note | shards of kube-system/stint-a | 1 shard, 0 live replicas; the lease that"
                + " replicas share expired 1m45s ago",
            "note | replica x | is gone: its lease expired 1m45s ago",
            "note | shard 0 of stint-a | has no owner: its lease was never taken");
    assertThat(advice())
        .startsWith(
            "start stint controller --shards 1, without which its Jobs rest; if none is to run"
                + " again, delete the leases whose names begin with stint-a")
        .endsWith("start a replica; until then the Jobs of this shard rest");
  }

  @Test
  void aReplicaWithoutAShardWaitsForOneOrIsTooMany() {
    lease("", "replicas-with-2-shards", SOON_AGO);
    lease("-replica-1", "x", SOON_AGO).lease("-replica-2", "y", SOON_AGO);
    lease("-shard-0", "x", SOON_AGO).lease("-shard-1", "x", SOON_AGO);
    assertThat(findings()).contains("note | replica y | has no shard");
    assertThat(advice())
        .containsExactly(
            "a new replica gets its share after 15s; if it stays without one, see its log");
    lease("-replica-3", "z", SOON_AGO);
    assertThat(findings()).contains("ok | replica z | has no shard");
    assertThat(advice())
        .containsExactly(
            "more replicas than shards: run fewer, or all of them with a larger --shards");
  }
}
