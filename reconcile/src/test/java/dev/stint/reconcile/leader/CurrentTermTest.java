package dev.stint.reconcile.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.TestWorld;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CurrentTermTest {
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private final TestWorld world = new TestWorld();
  private int expired;
  private final CurrentTerm current =
      new CurrentTerm(world.eventLoop, world.time, DEADLINE, () -> expired++);

  @Test
  void aTermLastsForTheDeadlineFromWhenTheWriteWasSent() {
    Term.Moment sent = current.moment();
    world.pass(Duration.ofSeconds(4));
    assertThat(current.hold(sent)).isNotNull();
    world.pass(Duration.ofSeconds(5));
    assertThat(expired).isZero();
    world.pass(Duration.ofSeconds(1));
    assertThat(expired).isOne();
  }

  @Test
  void aRenewalContinuesTheSameTerm() {
    Term begun = Objects.requireNonNull(current.hold(current.moment()));
    world.pass(Duration.ofSeconds(9));
    assertThat(current.hold(current.moment())).isSameAs(begun);
    world.pass(Duration.ofSeconds(9));
    assertThat(expired).isZero();
    assertThat(begun.holds()).isTrue();
  }

  @Test
  void anAnswerThatComesTooLateBeginsNoTerm() {
    Term.Moment sent = current.moment();
    world.pass(DEADLINE);
    assertThat(current.hold(sent)).isNull();
    assertThat(current.exists()).isFalse();
  }

  @Test
  void anEndedTermDoesNotExpire() {
    Term begun = Objects.requireNonNull(current.hold(current.moment()));
    assertThat(current.end()).isTrue();
    assertThat(current.end()).isFalse();
    assertThat(begun.holds()).isFalse();
    world.pass(DEADLINE);
    assertThat(expired).isZero();
  }
}
