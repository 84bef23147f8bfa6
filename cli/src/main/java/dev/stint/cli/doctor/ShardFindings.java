package dev.stint.cli.doctor;

import dev.stint.cli.flag.DurationConverter;
import dev.stint.jobs.DisplayText;
import dev.stint.model.KubeObject;
import dev.stint.reconcile.leader.ShardOverview;
import dev.stint.reconcile.leader.ShardOverview.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Says which replica of {@code stint controller --shards} has which shards, by their Leases. */
final class ShardFindings {
  private final ShardOverview overview;
  private final Instant now;
  private final List<Hold> live;

  private ShardFindings(ShardOverview overview, Instant now) {
    this.overview = overview;
    this.now = now;
    this.live = overview.replicas().stream().filter(each -> each.isHeld(now)).toList();
  }

  /** Returns the findings on all elections with shards; one if there is none. */
  static List<Finding> of(Collection<KubeObject> leases, Instant now) {
    List<ShardOverview> elections = ShardOverview.of(leases);
    if (elections.isEmpty()) {
      return List.of(
          Finding.ok("shards", "no replicas share Jobs by stint controller --shards here"));
    }
    List<Finding> findings = new ArrayList<>();
    elections.forEach(each -> findings.addAll(new ShardFindings(each, now).all()));
    return findings;
  }

  private List<Finding> all() {
    List<Finding> findings = new ArrayList<>();
    findings.add(election());
    live.forEach(each -> findings.add(replica(each)));
    overview.replicas().stream()
        .filter(each -> !each.isHeld(now))
        .forEach(each -> findings.add(gone(each)));
    for (int shard = 0; shard < overview.shards().size(); shard++) {
      if (!overview.shards().get(shard).isHeld(now)) {
        findings.add(unowned(shard));
      }
    }
    return findings;
  }

  private Finding election() {
    String subject = "shards of " + overview.lease().namespace() + "/" + overview.lease().name();
    int count = overview.shards().size();
    String found =
        DisplayText.count(count, "shard", "shards")
            + ", "
            + DisplayText.count(live.size(), "live replica", "live replicas");
    if (live.isEmpty()) {
      return Finding.note(
          subject,
          found + "; the lease that replicas share " + ended(overview.configuration()),
          "start stint controller --shards "
              + count
              + ", without which its Jobs rest; if none is to run again, delete the leases whose"
              + " names begin with "
              + overview.lease().name());
    }
    return live.size() <= count
        ? Finding.ok(subject, found)
        : Finding.note(
            subject,
            found,
            "more replicas than shards: run fewer, or all of them with a larger --shards");
  }

  private Finding replica(Hold replica) {
    List<Integer> held = overview.shardsOf(replica.holder(), now);
    String subject = "replica " + replica.holder();
    if (held.isEmpty() && live.size() <= overview.shards().size()) {
      return Finding.note(
          subject,
          "has no shard",
          "a new replica gets its share after "
              + DurationConverter.brief(replica.duration())
              + "; if it stays without one, see its log");
    }
    return Finding.ok(
        subject,
        held.isEmpty()
            ? "has no shard"
            : (held.size() == 1 ? "has shard " : "has shards ")
                + held.stream().map(String::valueOf).collect(Collectors.joining(", ")));
  }

  private Finding gone(Hold replica) {
    return Finding.note(
        "replica " + replica.holder(),
        "is gone: its lease " + ended(replica),
        live.isEmpty()
            ? "if it should run, see the log of its process"
            : "if it should run, see the log of its process; its lease is removed by itself");
  }

  private Finding unowned(int shard) {
    Hold hold = overview.shards().get(shard);
    String holder = hold.holder().isEmpty() ? "" : ", " + hold.holder() + " had it";
    return Finding.note(
        "shard " + shard + " of " + overview.lease().name(),
        "has no owner: its lease " + ended(hold) + holder,
        live.isEmpty()
            ? "start a replica; until then the Jobs of this shard rest"
            : "a live replica takes it within seconds; if none does, see their logs, and whether"
                + " their role may create and update leases");
  }

  private String ended(Hold hold) {
    Instant renewed = hold.renewed();
    if (hold.holder().isEmpty()) {
      return renewed == null ? "was never taken" : "was released";
    }
    if (renewed == null) {
      return "does not say when it was renewed";
    }
    Duration since = Duration.between(renewed.plus(hold.duration()), now);
    return since.isNegative() ? "is held" : "expired " + DurationConverter.brief(since) + " ago";
  }
}
