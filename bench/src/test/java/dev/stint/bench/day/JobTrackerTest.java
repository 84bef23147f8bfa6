package dev.stint.bench.day;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class JobTrackerTest {
  private static final long SECOND = 1_000_000_000;

  private final JobTracker tracker = new JobTracker(Duration.ofSeconds(60));

  @Test
  void aJobThatComesAndGoesInTimeIsGood() {
    tracker.onDue("a", 0);
    tracker.onCreated("a");
    tracker.onComplete("a", SECOND);
    tracker.onComplete("a", 2 * SECOND);
    assertThat(tracker.hasJobs()).isTrue();
    tracker.onDeleted("a", 31 * SECOND);
    tracker.onEnd();
    assertThat(tracker.faults()).isEmpty();
    assertThat(tracker.hasJobs()).isFalse();
    assertThat(tracker.created()).isOne();
    assertThat(tracker.gone()).isOne();
    assertThat(tracker.slowestGoneSeconds()).isEqualTo(31);
    assertThat(tracker.takeCompletions().quantile(1)).isEqualTo(1000);
    assertThat(tracker.takeCompletions().quantile(1)).isZero();
  }

  @Test
  void eventsMayComeBeforeTheAnswer() {
    tracker.onDue("a", 0);
    tracker.onComplete("a", 1);
    tracker.onDeleted("a", 2);
    tracker.onCreated("a");
    tracker.onEnd();
    assertThat(tracker.faults()).isEmpty();
  }

  @Test
  void whatIsLostOrStaysIsAFault() {
    tracker.onDue("lost", 0);
    tracker.onCreated("lost");
    tracker.onDue("stays", 0);
    tracker.onCreated("stays");
    tracker.onComplete("stays", 1);
    tracker.onDue("unanswered", 0);
    tracker.onEnd();
    assertThat(tracker.faults())
        .containsExactlyInAnyOrder(
            "lost is lost or never Complete",
            "stays is Complete and did not go away",
            "unanswered is without an answer");
  }

  @Test
  void theEndOfTheServerComesBeforeWhatFollowsFromIt() {
    tracker.onFault("the creation of a was not answered");
    tracker.onServerEnded();
    assertThat(tracker.faults())
        .containsExactly("the server ended", "the creation of a was not answered");
  }

  @Test
  void aJobThatGoesLateOrTooEarlyIsAFault() {
    tracker.onDue("late", 0);
    tracker.onComplete("late", 1);
    tracker.onDeleted("late", 70 * SECOND);
    tracker.onDue("early", 0);
    tracker.onDeleted("early", 1);
    tracker.onDue("failed", 0);
    tracker.onFailed("failed", "BackoffLimitExceeded");
    tracker.onFailed("failed", "BackoffLimitExceeded"); // Each event says so.
    tracker.onRefused("refused", "403");
    assertThat(tracker.faults())
        .containsExactly(
            "late went away 10 s late",
            "early went away and was not Complete",
            "failed failed: BackoffLimitExceeded",
            "the creation of refused was refused: 403");
  }
}
