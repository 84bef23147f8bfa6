package dev.stint.bench.history;

import static dev.stint.bench.history.HistoryBuilder.content;
import static dev.stint.bench.history.HistoryBuilder.patched;
import static dev.stint.bench.history.HistoryBuilder.shown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.bench.history.Action.Create;
import dev.stint.bench.history.Action.Delete;
import dev.stint.bench.history.Action.Patch;
import dev.stint.bench.history.Action.Replace;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Histories of one object, good and bad ones. A server with each of these faults was built once.
 */
class LinearizabilityCheckerTest {
  private static final Outcome ABSENT = new Outcome.Absent();
  private static final Outcome UNKNOWN = new Outcome.Unknown();

  private final HistoryBuilder given = new HistoryBuilder();

  private boolean isLinearizable() {
    return check(given.history().operations()).isLinearizable();
  }

  private static LinearizabilityChecker.Result check(List<Operation> operations) {
    return LinearizabilityChecker.check(new ObjectModel(), operations, 1_000_000);
  }

  @Test
  void oneOperationAfterTheOther() {
    given
        .creates(1, 2, "a", 5)
        .reads(3, 4, shown(5, "a"))
        .replaces(5, 6, 5, "b", 6)
        .with(7, 8, new Patch("p"), new Outcome.Shown(patched(7, "b", "p")))
        .with(9, 10, new Create(content("c")), new Outcome.Exists())
        .with(11, 12, new Replace(content("d"), 5), new Outcome.Conflict())
        .with(13, 14, new Delete(6), new Outcome.Conflict())
        .deletes(15, 16)
        .reads(17, 18, ABSENT);
    assertThat(isLinearizable()).isTrue();
  }

  @Test
  void concurrentOperationsHaveSomeOrder() {
    given
        .creates(1, 2, "a", 5)
        .replaces(3, 10, 0, "b", 7)
        .replaces(3, 10, 0, "c", 6)
        .reads(4, 5, shown(6, "c"))
        .reads(6, 7, shown(7, "b"));
    assertThat(isLinearizable()).isTrue();
  }

  @Test
  void aStaleReadIsFound() {
    given.creates(1, 2, "a", 5).replaces(3, 4, 5, "b", 6).reads(5, 6, shown(5, "a"));
    assertThat(isLinearizable()).isFalse();
  }

  @Test
  void readsThatGoBackAreFound() {
    given
        .creates(1, 2, "a", 5)
        .replaces(3, 10, 5, "b", 6)
        .reads(4, 5, shown(6, "b"))
        .reads(6, 7, shown(5, "a"));
    assertThat(isLinearizable()).isFalse();
  }

  @Test
  void aLostUpdateIsFound() {
    given.creates(1, 2, "a", 5).replaces(3, 4, 5, "b", 6).replaces(5, 6, 5, "c", 7);
    assertThat(isLinearizable()).isFalse();
  }

  @Test
  void twoSuccessesOfOneConditionAreFound() {
    given.creates(1, 2, "a", 5).replaces(3, 10, 5, "b", 6).replaces(3, 10, 5, "c", 7);
    assertThat(isLinearizable()).isFalse();
  }

  @Test
  void aConflictWithoutAReasonIsFound() {
    given.creates(1, 2, "a", 5).with(3, 4, new Replace(content("b"), 5), new Outcome.Conflict());
    assertThat(isLinearizable()).isFalse();
  }

  @Test
  void twoCreationsOfOneNameAreFound() {
    given.creates(1, 10, "a", 5).creates(1, 10, "b", 6);
    assertThat(isLinearizable()).isFalse();
  }

  @Test
  void anObjectThatReturnsAfterItsDeletionIsFound() {
    given.creates(1, 2, "a", 5).deletes(3, 4).reads(5, 6, shown(5, "a"));
    assertThat(isLinearizable()).isFalse();
  }

  @Test
  void aWriteThatGetsAnEarlierRevisionIsFound() {
    given.creates(1, 2, "a", 5).replaces(3, 4, 0, "b", 4);
    assertThat(isLinearizable()).isFalse();
  }

  @Test
  void aPatchThatTakesBackAnotherWriteIsFound() {
    given
        .creates(1, 2, "a", 5)
        .replaces(3, 4, 5, "b", 6)
        .with(5, 6, new Patch("p"), new Outcome.Shown(patched(7, "a", "p")));
    assertThat(isLinearizable()).isFalse();
  }

  @Test
  void anAcknowledgedWriteThatIsLostIsFound() {
    given.creates(1, 2, "a", 5).replaces(3, 4, 5, "b", 6).reads(100, 101, ABSENT);
    assertThat(isLinearizable()).isFalse();
  }

  @Test
  void aWriteWithoutAnAnswerMayHappenLater() {
    given
        .creates(1, 2, "a", 5)
        .with(3, 100, new Replace(content("b"), 0), UNKNOWN)
        .reads(10, 11, shown(5, "a"))
        .reads(20, 21, shown(9, "b"));
    assertThat(isLinearizable()).isTrue();
  }

  @Test
  void aWriteWithoutAnAnswerMayNeverHappen() {
    given.creates(1, 2, "a", 5).with(3, 100, new Delete(0), UNKNOWN).reads(200, 201, shown(5, "a"));
    assertThat(isLinearizable()).isTrue();
  }

  @Test
  void aWriteWithoutAnAnswerHappensOnce() {
    given
        .creates(1, 2, "a", 5)
        .with(3, Operation.NEVER, new Replace(content("b"), 0), UNKNOWN)
        .reads(4, 5, shown(6, "b"))
        .replaces(6, 7, 6, "c", 7)
        .reads(8, 9, shown(8, "b"));
    assertThat(isLinearizable()).isFalse();
  }

  @Test
  void aWriteDoesNotHappenAfterTheDeathOfItsProcess() {
    given
        .creates(1, 2, "a", 5)
        .with(3, 10, new Replace(content("b"), 0), UNKNOWN)
        .reads(11, 12, shown(5, "a"))
        .reads(13, 14, shown(6, "b"));
    assertThat(isLinearizable()).isFalse();
  }

  @Test
  void theFaultIsNamed() {
    given.creates(1, 2, "a", 5).replaces(3, 4, 5, "b", 6).reads(5, 6, shown(5, "a"));
    LinearizabilityChecker.Result result = check(given.history().operations());
    assertThat(result.stuck()).isEqualTo(given.history().operations().getLast());
    assertThat(result.longest()).hasSize(2);
  }

  @Test
  void aSearchThatTakesTooLongIsUndecided() {
    given.creates(1, 2, "a", 5).reads(3, 4, shown(5, "a"));
    LinearizabilityChecker.Result result =
        LinearizabilityChecker.check(new ObjectModel(), given.history().operations(), 0);
    assertThat(result.isUndecided()).isTrue();
  }

  /** An object that is right by itself, and clients whose requests overlap at random. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whatARightServerAnswersIsLinearizable(long seed) {
    List<Operation> operations = RightServer.history(new Random(seed), 200);
    assertThat(check(operations).isLinearizable()).isTrue();
  }

  /** One answer of a right server is replaced by one that it gave earlier. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void oneOldAnswerAmongHundredsIsFound(long seed) {
    List<Operation> operations = new ArrayList<>(RightServer.history(new Random(seed), 200));
    int at = RightServer.makeStale(operations);
    assertThat(check(operations).isLinearizable()).as("operation %d is stale", at).isFalse();
  }
}
