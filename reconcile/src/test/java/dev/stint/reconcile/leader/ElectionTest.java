package dev.stint.reconcile.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.reconcile.leader.Election.Move;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ElectionTest {
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00.1234567Z");
  private static final Instant STEADY = Instant.EPOCH;
  private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");
  private static final Duration TERM = Duration.ofSeconds(15);

  private final Election election = new Election("me", LeaseTimes.DEFAULT);

  private static LeaseRecord held(String holder) {
    return new LeaseRecord(holder, TERM, LONG_AGO, LONG_AGO, 3);
  }

  private static ObservedLease observed(LeaseRecord record, Duration since) {
    ObjectNode tree = Json.object();
    tree.set("spec", record.write(null));
    return ObservedLease.of(KubeObject.of(tree), STEADY.minus(since));
  }

  private Move next(LeaseRecord seen, Duration since) {
    return election.next(observed(seen, since), new Term.Moment(STEADY, NOW));
  }

  @Test
  void aMissingLeaseIsClaimed() {
    assertThat(election.next(null, new Term.Moment(STEADY, NOW)))
        .isEqualTo(new Move.TakeLease(new LeaseRecord("me", TERM, NOW, NOW, 0)));
  }

  @Test
  void aLeaseWithoutAHolderIsClaimedAtOnce() {
    assertThat(next(held(""), Duration.ZERO))
        .isEqualTo(new Move.TakeLease(new LeaseRecord("me", TERM, NOW, NOW, 4)));
  }

  @Test
  void anOwnLeaseIsRenewed() {
    assertThat(next(held("me"), Duration.ofDays(1)))
        .isEqualTo(new Move.TakeLease(new LeaseRecord("me", TERM, LONG_AGO, NOW, 3)));
  }

  @Test
  void anotherHoldersTimeCountsFromWhenItWasSeenWhateverItsClockSays() {
    assertThat(next(held("other"), Duration.ofSeconds(5)))
        .isEqualTo(new Move.Wait("other", Duration.ofSeconds(10)));
    assertThat(next(held("other"), TERM))
        .isEqualTo(new Move.TakeLease(new LeaseRecord("me", TERM, NOW, NOW, 4)));
  }

  @Test
  void theHoldersDurationCounts() {
    LeaseRecord slow = new LeaseRecord("other", Duration.ofSeconds(60), LONG_AGO, LONG_AGO, 0);
    assertThat(next(slow, TERM)).isEqualTo(new Move.Wait("other", Duration.ofSeconds(45)));
  }

  @Test
  void steppingDownLeavesTheLeaseWithoutAHolder() {
    assertThat(election.released(held("me"), NOW))
        .isEqualTo(new LeaseRecord("", Duration.ofSeconds(1), NOW, NOW, 3));
  }

  @Test
  void aRenewalIsALaterTimeOfTheSameHolderInTheSameTerm() {
    ObservedLease before = observed(held("me"), Duration.ZERO);
    LeaseRecord renewed = new LeaseRecord("me", TERM, LONG_AGO, NOW, 3);
    assertThat(election.isRenewal(before, observed(renewed, Duration.ZERO))).isTrue();
    assertThat(election.isRenewal(null, observed(renewed, Duration.ZERO))).isFalse();
    assertThat(election.isRenewal(before, before)).isFalse();
    for (LeaseRecord other :
        List.of(
            new LeaseRecord("other", TERM, LONG_AGO, NOW, 3),
            new LeaseRecord("me", TERM, NOW, NOW, 3),
            new LeaseRecord("me", TERM, LONG_AGO, NOW, 4))) {
      assertThat(election.isRenewal(before, observed(other, Duration.ZERO))).isFalse();
    }
  }

  @Test
  void aDeletedLeaseIsNoRenewal() {
    ObservedLease before = observed(held("me"), Duration.ZERO);
    ObservedLease renewed = observed(new LeaseRecord("me", TERM, LONG_AGO, NOW, 3), Duration.ZERO);
    assertThat(election.isRenewal(before, ObservedLease.next(renewed, null, STEADY))).isFalse();
  }

  @Test
  void onlyCandidatesSpreadTheirRetries() {
    Duration period = LeaseTimes.DEFAULT.retryPeriod();
    Random random = new Random(1);
    assertThat(LeaseTimes.DEFAULT.retryDelay(true, random)).isEqualTo(period);
    assertThat(LeaseTimes.DEFAULT.retryDelay(false, random))
        .isBetween(period, period.multipliedBy(11).dividedBy(5))
        .isNotEqualTo(LeaseTimes.DEFAULT.retryDelay(false, random));
  }

  @Test
  void recordsAreReadableByKubernetesAndKeepOtherMembers() {
    ObjectNode before = Json.parse("{\"strategy\":\"OldestEmulationVersion\"}");
    ObjectNode spec = new LeaseRecord("me", TERM, NOW, NOW, 4).write(before);
    assertThat(spec)
        .isEqualTo(
            Json.parse(
                """
                {"strategy":"OldestEmulationVersion","holderIdentity":"me",
                 "leaseDurationSeconds":15,"acquireTime":"2026-01-31T12:00:00.123456Z",
                 "renewTime":"2026-01-31T12:00:00.123456Z","leaseTransitions":4}
                """));
    Instant micros = Instant.parse("2026-01-31T12:00:00.123456Z");
    assertThat(LeaseRecord.read(spec)).isEqualTo(new LeaseRecord("me", TERM, micros, micros, 4));
  }

  @Test
  void aLeaseWithoutASpecHasNoHolder() {
    assertThat(LeaseRecord.read(null)).isEqualTo(new LeaseRecord("", Duration.ZERO, null, null, 0));
  }

  @Test
  void unsafeLeaseTimesAreRefused() {
    Duration two = Duration.ofSeconds(2);
    Duration ten = Duration.ofSeconds(10);
    assertThatThrownBy(() -> new LeaseTimes(ten, ten, two))
        .hasMessageContaining("longer than the renew deadline");
    assertThatThrownBy(() -> new LeaseTimes(TERM, two, two))
        .hasMessageContaining("1.2 times the retry period");
    assertThatThrownBy(() -> new LeaseTimes(Duration.ofMillis(1500), Duration.ofSeconds(1), two))
        .hasMessageContaining("whole seconds");
  }
}
