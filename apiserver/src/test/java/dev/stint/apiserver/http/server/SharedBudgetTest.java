package dev.stint.apiserver.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.access.User;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SharedBudgetTest {
  private static final Requester STRANGER = Requester.unknown("10.0.0.1");
  private static final Requester OTHER_STRANGER = Requester.unknown("10.0.0.2");
  private static final Requester ALICE = known("alice");
  private static final Requester BOB = known("bob");
  private static final Requester ADMIN = admin("connection 1");
  private static final Requester OTHER_ADMIN = admin("connection 2");

  private final SharedBudget budget = new SharedBudget(1600, 100);

  private static Requester known(String name) {
    return Requester.of(User.of(name, User.AUTHENTICATED), "10.0.0.3", "connection 0");
  }

  private static Requester admin(String connection) {
    return Requester.of(User.of("admin", "system:masters"), "127.0.0.1", connection);
  }

  /** Takes as much as fits, in small amounts. */
  private long fill(Requester who) {
    long taken = 0;
    while (budget.tryTake(who, 10)) {
      taken += 10;
    }
    return taken;
  }

  @Test
  void whatIsThereAlreadyTakesNoMoreThanTwiceAPart() {
    assertThat(budget.tryCharge(ALICE, 10_000)).isTrue(); // it is her first
    budget.giveBack(ALICE, 10_000);
    assertThat(budget.tryCharge(ALICE, 400)).isTrue();
    assertThat(budget.tryCharge(ALICE, 400)).isTrue();
    assertThat(budget.tryCharge(ALICE, 1)).isFalse();
    assertThat(budget.tryCharge(BOB, 400)).isTrue();
    assertThat(budget.taken()).isEqualTo(1200);
  }

  @Test
  void strangersShareAnEighthAndOneAddressHasHalfOfIt() {
    assertThat(fill(STRANGER)).isEqualTo(100);
    assertThat(fill(OTHER_STRANGER)).isEqualTo(100);
    assertThat(fill(Requester.unknown("10.0.0.9"))).isZero();
  }

  @Test
  void aUserHasAQuarterAndAllUsersLeaveAReserveToAdministrators() {
    assertThat(fill(ALICE)).isEqualTo(400);
    assertThat(fill(BOB)).isEqualTo(400);
    assertThat(fill(known("carol"))).isEqualTo(400);
    assertThat(fill(known("dave"))).isEqualTo(200);
    assertThat(fill(ADMIN)).isEqualTo(200);
  }

  private static Requester account(String namespace, String name) {
    return known("system:serviceaccount:" + namespace + ":" + name);
  }

  /** Whoever may edit a namespace may create any number of them. */
  @Test
  void allServiceAccountsOfANamespaceHaveAHalf() {
    assertThat(fill(account("a", "one"))).isEqualTo(400);
    assertThat(fill(account("a", "two"))).isEqualTo(400);
    assertThat(fill(account("a", "three"))).isZero();
    assertThat(budget.tryCharge(account("a", "three"), 800)).as("a write").isTrue();
    assertThat(budget.tryCharge(account("a", "three"), 1)).isFalse();
    budget.giveBack(account("a", "three"), 800);
    assertThat(fill(account("b", "one"))).isEqualTo(400);
    budget.giveBack(account("a", "one"), 100);
    assertThat(fill(account("a", "three"))).isEqualTo(100);
    assertThat(fill(known("system:serviceaccount:"))).isEqualTo(200);
  }

  @Test
  void oneConnectionOfAnAdministratorLeavesTheOtherHalf() {
    assertThat(fill(ADMIN)).isEqualTo(800);
    assertThat(fill(OTHER_ADMIN)).isEqualTo(800);
  }

  @Test
  void whatIsLargerThanAPartFitsAlone() {
    assertThat(budget.tryTake(ALICE, 900)).isTrue();
    assertThat(budget.tryTake(ALICE, 1)).isFalse();
    assertThat(budget.tryTake(BOB, 100)).isTrue();
  }

  @Test
  void smallBudgetsHaveRoomForOneLargeAmountOfAUserAndOneOfAnAdministrator() {
    SharedBudget small = new SharedBudget(200, 100);
    assertThat(small.tryTake(ALICE, 100)).isTrue();
    assertThat(small.tryTake(ADMIN, 100)).isTrue();
  }

  @Test
  void whatIsGivenBackIsThereForThoseWhoWait() throws Exception {
    assertThat(budget.tryTake(ALICE, 400)).isTrue();
    CompletableFuture<Boolean> waiting = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            waiting.complete(budget.take(ALICE, 400, Duration.ofMinutes(1)));
          } catch (InterruptedException impossible) {
            waiting.completeExceptionally(impossible);
          }
        });
    budget.giveBack(ALICE, 400);
    assertThat(waiting.get()).isTrue();
    assertThat(budget.taken()).isEqualTo(400);
    assertThat(budget.awaitRoom(ALICE, Duration.ZERO)).isFalse();
    assertThat(budget.awaitRoom(BOB, Duration.ZERO)).isTrue();
    assertThat(budget.taken()).isEqualTo(400);
  }

  /** The answer to a write is sent whether it fits or not. */
  @Test
  void whatIsThereAlreadyIsCharged() {
    budget.charge(ALICE, 5000);
    assertThat(budget.tryTake(BOB, 1)).isFalse();
    budget.giveBack(ALICE, 5000);
    assertThat(fill(ALICE)).isEqualTo(400);
  }
}
