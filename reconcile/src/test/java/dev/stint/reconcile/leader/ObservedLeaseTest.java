package dev.stint.reconcile.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ObservedLeaseTest {
  private static final Instant START = Instant.EPOCH;
  private static final Instant LATER = START.plusSeconds(10);

  private final ObservedLease first = ObservedLease.of(lease("1", "other"), START);

  private static KubeObject lease(String revision, String holder) {
    return KubeObject.of(
        Json.parse(
            """
            {"metadata":{"resourceVersion":"%s"},
             "spec":{"holderIdentity":"%s","leaseDurationSeconds":15}}
            """
                .formatted(revision, holder)));
  }

  @Test
  void theHoldersTimeCountsFromTheFirstSightOfAState() {
    assertThat(ObservedLease.next(first, lease("1", "other"), LATER)).isEqualTo(first);
    assertThat(ObservedLease.next(first, lease("2", "other"), LATER))
        .extracting(ObservedLease::since)
        .isEqualTo(LATER);
  }

  @Test
  void aHolderIsOneUntilItsTimeIsOver() {
    assertThat(first.holder(LATER)).isEqualTo("other");
    assertThat(first.left(LATER)).isEqualTo(Duration.ofSeconds(5));
    assertThat(first.holder(START.plusSeconds(15))).isNull();
    assertThat(ObservedLease.of(lease("1", ""), START).holder(START)).isNull();
  }

  @Test
  void theHolderOfADeletedLeaseKeepsItsTime() {
    assertThat(ObservedLease.next(first, null, LATER))
        .isEqualTo(new ObservedLease(first.lease(), first.record(), START, true));
    assertThat(ObservedLease.next(null, null, LATER)).isNull();
  }

  @Test
  void aLeaseThatExistsAgainIsNotDeleted() {
    ObservedLease deleted = ObservedLease.next(first, null, LATER);
    assertThat(ObservedLease.next(deleted, lease("1", "other"), LATER)).isEqualTo(first);
  }
}
