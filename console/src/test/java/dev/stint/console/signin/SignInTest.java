package dev.stint.console.signin;

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
    signIn.announceTicket();
  }

  private String enter() {
    return signIn.redeem(tickets.getLast()).orElseThrow();
  }

  @Test
  void aLinkSignsInOneBrowserAndThenTheNextIsPrinted() {
    String first = tickets.getLast();
    assertThat(signIn.redeem(first)).hasValueSatisfying(each -> assertThat(each).hasSize(43));
    assertThat(signIn.redeem(first)).isEmpty();
    assertThat(tickets).hasSize(2).doesNotHaveDuplicates();
    assertThat(signIn.redeem(tickets.getLast())).isPresent();
  }

  @Test
  void aWrongTicketIsRefusedAndUsesUpNothing() {
    assertThat(signIn.redeem("")).isEmpty();
    assertThat(signIn.redeem(tickets.getLast() + "x")).isEmpty();
    assertThat(tickets).hasSize(1);
    assertThat(signIn.isSignedIn("")).isFalse();
    assertThat(signIn.isSignedIn(tickets.getLast())).isFalse();
  }

  @Test
  void anUnusedSessionEnds() {
    String used = enter();
    String forgotten = enter();
    now = now.plus(SignIn.IDLE);
    assertThat(signIn.isSignedIn(used)).isTrue();
    now = now.plus(Duration.ofSeconds(1));
    assertThat(signIn.isSignedIn(used)).isTrue();
    assertThat(signIn.isSignedIn(forgotten)).isFalse();
  }

  @Test
  void signingOutEndsTheSession() {
    String session = enter();
    signIn.signOut(session);
    assertThat(signIn.isSignedIn(session)).isFalse();
  }

  @Test
  void theLeastRecentlyUsedSessionEndsIfThereAreTooMany() {
    String oldest = enter();
    String second = enter();
    for (int i = 2; i < SignIn.MOST_SESSIONS; i++) {
      enter();
    }
    assertThat(signIn.isSignedIn(oldest)).isTrue();
    enter();
    assertThat(signIn.isSignedIn(second)).isFalse();
    assertThat(signIn.isSignedIn(oldest)).isTrue();
  }
}
