package dev.stint.reconcile.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.model.Json;
import dev.stint.reconcile.leader.Election.Move;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ElectionTest {
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00.1234567Z");
  private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");
  private static final Duration TERM = Duration.ofSeconds(15);

  private final Election election = new Election("me", LeaseTimes.DEFAULT);

  private static LeaseRecord held(String holder) {
    return new LeaseRecord(holder, TERM, LONG_AGO, LONG_AGO, 3);
  }

  private Move next(@Nullable LeaseRecord seen, Duration since) {
    return election.next(seen, since, NOW);
  }

  @Test
  void aMissingLeaseIsClaimed() {
    assertThat(next(null, Duration.ZERO))
        .isEqualTo(new Move.Claim(new LeaseRecord("me", TERM, NOW, NOW, 0)));
  }

  @Test
  void aLeaseWithoutAHolderIsClaimedAtOnce() {
    assertThat(next(held(""), Duration.ZERO))
        .isEqualTo(new Move.Claim(new LeaseRecord("me", TERM, NOW, NOW, 4)));
  }

  @Test
  void anOwnLeaseIsRenewed() {
    assertThat(next(held("me"), Duration.ofDays(1)))
        .isEqualTo(new Move.Claim(new LeaseRecord("me", TERM, LONG_AGO, NOW, 3)));
  }

  @Test
  void anotherHoldersTimeCountsFromWhenItWasSeenWhateverItsClockSays() {
    assertThat(next(held("other"), Duration.ofSeconds(5)))
        .isEqualTo(new Move.Wait(Duration.ofSeconds(10)));
    assertThat(next(held("other"), TERM))
        .isEqualTo(new Move.Claim(new LeaseRecord("me", TERM, NOW, NOW, 4)));
  }

  @Test
  void theHoldersDurationCounts() {
    LeaseRecord slow = new LeaseRecord("other", Duration.ofSeconds(60), LONG_AGO, LONG_AGO, 0);
    assertThat(next(slow, TERM)).isEqualTo(new Move.Wait(Duration.ofSeconds(45)));
  }

  @Test
  void steppingDownLeavesTheLeaseWithoutAHolder() {
    assertThat(election.released(held("me"), NOW))
        .isEqualTo(new LeaseRecord("", Duration.ofSeconds(1), NOW, NOW, 3));
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
