package dev.stint.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SignInTest {
  private final List<String> tickets = new ArrayList<>();
  private Instant now = Instant.EPOCH;
  private final SignIn signIn = new SignIn(() -> now, new Random(7), tickets::add);

  @BeforeEach
  void offer() {
    signIn.offer();
  }

  private String enter() {
    return signIn.enter(tickets.getLast()).orElseThrow();
  }

  @Test
  void aLinkLetsOneBrowserInAndThenTheNextIsPrinted() {
    String first = tickets.getLast();
    assertThat(signIn.enter(first)).hasValueSatisfying(each -> assertThat(each).hasSize(43));
    assertThat(signIn.enter(first)).isEmpty();
    assertThat(tickets).hasSize(2).doesNotHaveDuplicates();
    assertThat(signIn.enter(tickets.getLast())).isPresent();
  }

  @Test
  void aWrongTicketLetsNobodyInAndUsesUpNothing() {
    assertThat(signIn.enter("")).isEmpty();
    assertThat(signIn.enter(tickets.getLast() + "x")).isEmpty();
    assertThat(tickets).hasSize(1);
    assertThat(signIn.knows("")).isFalse();
    assertThat(signIn.knows(tickets.getLast())).isFalse();
  }

  @Test
  void aSessionThatIsUsedGoesOnAndOneThatIsNotEnds() {
    String used = enter();
    String forgotten = enter();
    now = now.plus(SignIn.IDLE);
    assertThat(signIn.knows(used)).isTrue();
    now = now.plus(Duration.ofSeconds(1));
    assertThat(signIn.knows(used)).isTrue();
    assertThat(signIn.knows(forgotten)).isFalse();
  }

  @Test
  void whoLeavesIsNotKnownAnyMore() {
    String session = enter();
    signIn.leave(session);
    assertThat(signIn.knows(session)).isFalse();
  }

  @Test
  void sessionsAreFewAndTheOneNotUsedForLongestMakesRoom() {
    String oldest = enter();
    String second = enter();
    for (int i = 2; i < SignIn.MOST_SESSIONS; i++) {
      enter();
    }
    assertThat(signIn.knows(oldest)).isTrue();
    enter();
    assertThat(signIn.knows(second)).isFalse();
    assertThat(signIn.knows(oldest)).isTrue();
  }
}
