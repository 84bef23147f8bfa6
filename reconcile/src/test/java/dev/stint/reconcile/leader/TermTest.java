package dev.stint.reconcile.leader;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TermTest {
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private Instant steady = Instant.EPOCH;
  private Instant wall = Instant.parse("2026-01-31T12:00:00Z");
  private final Term term =
      Term.of(() -> steady, () -> wall, new Term.Moment(steady, wall), DEADLINE);

  @Test
  void aTermHoldsUntilTheDeadlineAfterItsLastRenewal() {
    steady = steady.plusSeconds(9);
    assertThat(term.holds()).isTrue();
    term.renew(new Term.Moment(steady, wall), DEADLINE);
    steady = steady.plusSeconds(9);
    assertThat(term.holds()).isTrue();
    steady = steady.plusSeconds(1);
    assertThat(term.holds()).isFalse();
  }

  @Test
  void aTermEndsWhileTheMachineSleeps() {
    wall = wall.plusSeconds(60); // The steady clock may have stood still meanwhile.
    assertThat(term.holds()).isFalse();
  }

  @Test
  void aClockThatIsSetBackDoesNotMakeItLonger() {
    wall = wall.minusSeconds(3600);
    steady = steady.plusSeconds(10);
    assertThat(term.holds()).isFalse();
  }

  @Test
  void anEndedTermCannotBeRenewed() {
    term.end();
    term.renew(new Term.Moment(steady, wall), DEADLINE);
    assertThat(term.holds()).isFalse();
  }

  @Test
  void aTermWithoutAnElectionNeverEnds() {
    assertThat(new Term().holds()).isTrue();
  }
}
