package dev.stint.bench.history;

import static dev.stint.bench.history.Delivery.Type.ADDED;
import static dev.stint.bench.history.Delivery.Type.DELETED;
import static dev.stint.bench.history.Delivery.Type.MODIFIED;
import static dev.stint.bench.history.HistoryBuilder.bookmark;
import static dev.stint.bench.history.HistoryBuilder.event;
import static dev.stint.bench.history.HistoryBuilder.version;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The laws of revisions and of watches, each with a history that breaks it. */
class HistoryLawsTest {
  private final HistoryBuilder given =
      new HistoryBuilder().creates(1, 2, "1-a", 5).replaces(3, 4, 5, "2-a", 6);

  private static final Version FIRST = version(5, "1-a");
  private static final Version SECOND = version(6, "2-a");
  private static final Version THIRD = version(7, "3-b");

  @Test
  void aRightHistoryBreaksNoLaw() {
    given
        .replaces(5, 6, 0, "3-b", 7)
        .lists(7, 8, 7, THIRD)
        .listsAt(7, 8, 6, SECOND)
        .watches(
            "",
            4,
            List.of(),
            event(10, ADDED, FIRST),
            event(11, MODIFIED, SECOND),
            bookmark(12, 6),
            event(13, MODIFIED, THIRD),
            bookmark(14, 9))
        .watches("a", 5, List.of(FIRST), event(11, MODIFIED, SECOND), event(12, DELETED, THIRD))
        .watches("b", 5, List.of(), event(12, ADDED, THIRD));
    assertThat(HistoryCheck.check(given.history()).violations()).isEmpty();
  }

  @Test
  void aDeletionThatOnlyASelectiveWatchSawIsNoFault() {
    given.deletes(5, 6).watches("a", 6, List.of(SECOND), event(7, DELETED, version(7, "2-a")));
    assertThat(given.violations()).isEmpty();
  }

  @Test
  void oneRevisionForTwoChangesIsFound() {
    given.reads(5, 6, HistoryBuilder.shown(6, "other"));
    assertThat(given.violations()).contains("one revision, two changes");
  }

  @Test
  void aListOlderThanWhatWasSeenIsFound() {
    given.lists(5, 6, 5, FIRST);
    assertThat(given.violations()).contains("older than what was seen before");
  }

  @Test
  void aWriteWithARevisionThatWasSeenIsFound() {
    given.lists(5, 6, 9, SECOND).replaces(7, 8, 6, "3-b", 8);
    assertThat(given.violations()).contains("older than what was seen before");
  }

  @Test
  void aListThatMixesRevisionsIsFound() {
    given.listsAt(5, 6, 6, FIRST);
    assertThat(given.violations()).containsExactly("a list has an older version than its revision");
  }

  @Test
  void aListFromTheFutureIsFound() {
    given.listsAt(5, 6, 5, SECOND);
    assertThat(given.violations()).containsExactly("a list has an object of a later revision");
  }

  @Test
  void aListOfADeletedObjectIsFound() {
    given
        .deletes(5, 6)
        .watches("", 6, List.of(SECOND), event(7, DELETED, version(7, "2-a")))
        .listsAt(8, 9, 8, SECOND);
    assertThat(given.violations()).containsExactly("a list has an object that was deleted before");
  }

  @Test
  void aGapIsFound() {
    given
        .replaces(5, 6, 0, "3-b", 7)
        .watches("", 4, List.of(), event(10, ADDED, FIRST), event(13, MODIFIED, THIRD));
    assertThat(given.violations()).containsExactly("a change was not delivered");
  }

  @Test
  void aBookmarkAheadOfItsEventsIsFound() {
    given.watches("", 5, List.of(FIRST), bookmark(10, 6), event(11, MODIFIED, SECOND));
    assertThat(given.violations()).containsExactly("an event is not after 6");
  }

  @Test
  void aBookmarkInPlaceOfEventsIsFound() {
    given.watches("", 5, List.of(FIRST), bookmark(10, 8));
    assertThat(given.violations()).containsExactly("a change was not delivered");
  }

  @Test
  void aRepeatedEventIsFound() {
    given.watches("", 5, List.of(FIRST), event(10, MODIFIED, SECOND), event(11, MODIFIED, SECOND));
    assertThat(given.violations()).containsExactly("an event is not after 6");
  }

  @Test
  void anEventFromBeforeTheWatchIsFound() {
    given.watches("", 5, List.of(FIRST), event(10, MODIFIED, FIRST), event(11, MODIFIED, SECOND));
    assertThat(given.violations()).contains("an event is not after 5");
  }

  @Test
  void eventsInAnotherOrderAreFound() {
    given.watches("", 4, List.of(), event(10, MODIFIED, SECOND), event(11, ADDED, FIRST));
    assertThat(given.violations()).contains("an event is not after 6");
  }

  @Test
  void anEventOfAnotherTypeIsFound() {
    given.watches("", 5, List.of(FIRST), event(10, ADDED, SECOND));
    assertThat(given.violations()).containsExactly("an event should be MODIFIED after " + FIRST);
  }

  @Test
  void aSelectiveWatchThatForgetsAnObjectThatLeftIsFound() {
    given
        .replaces(5, 6, 0, "3-b", 7)
        .watches("a", 5, List.of(FIRST), event(10, MODIFIED, SECOND), bookmark(11, 7));
    assertThat(given.violations()).containsExactly("a change was not delivered");
  }

  @Test
  void anEventOfAChangeThatNeverWasIsFound() {
    given.watches("", 6, List.of(SECOND), event(7, DELETED, version(7, "2-a")));
    given.lists(8, 9, 7, SECOND);
    assertThat(given.violations()).isNotEmpty();
  }

  @Test
  void aKeptHistoryIsTheSame(@TempDir Path directory) {
    given
        .with(5, 6, new Action.Patch("p"), new Outcome.Unknown())
        .lists(5, 6, 6, SECOND)
        .watches("a", 5, List.of(FIRST), event(10, MODIFIED, SECOND), bookmark(11, 7));
    Path file = directory.resolve("history.json");
    HistoryFile.write(given.history(), file);
    assertThat(HistoryFile.read(file)).isEqualTo(given.history());
  }
}
