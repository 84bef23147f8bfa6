package dev.stint.cli.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.index.IndexSet;
import dev.stint.model.item.Item;
import dev.stint.model.item.ItemText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ListComparisonTest {
  private static ListComparison compare(
      boolean positional, List<String> before, List<String> now, int... succeeded) {
    return ListComparison.of(
        ItemList.of(now),
        positional,
        index -> Optional.of(new Item(index, before.get(index), null)),
        before.size(),
        IndexSet.of(succeeded));
  }

  private static ListComparison compare(List<String> before, List<String> now, int... succeeded) {
    return compare(false, before, now, succeeded);
  }

  @Test
  void aListThatGrewKeepsItsSuccesses() {
    assertThat(compare(List.of("a", "b"), List.of("x", "a", "b", "y"), 1))
        .isEqualTo(new ListComparison(IndexSet.of(2), 2, 0));
  }

  @Test
  void linesThatVanishedAreCounted() {
    assertThat(compare(List.of("a", "b", "c", "d"), List.of("b", "d"), 0, 1, 3))
        .isEqualTo(new ListComparison(IndexSet.of(0, 1), 0, 2));
  }

  @Test
  void linesThatMovedHaveSucceeded() {
    assertThat(compare(List.of("a", "b", "c"), List.of("c", "a", "b"), 0, 2))
        .isEqualTo(new ListComparison(IndexSet.of(0, 1), 0, 0));
  }

  @Test
  void linesThatMovedRunAgainIfTheCommandDependsOnTheirPosition() {
    assertThat(compare(true, List.of("a", "b", "c"), List.of("a", "c", "b"), 0, 1, 2))
        .isEqualTo(new ListComparison(IndexSet.of(0), 0, 0));
  }

  @Test
  void equalLinesSucceedAsOftenAsTheyDid() {
    assertThat(compare(List.of("a", "a", "b"), List.of("b", "a", "a", "a"), 1))
        .isEqualTo(new ListComparison(IndexSet.of(1), 1, 0));
  }

  @Test
  void linesThatCannotBeReadAnyMoreAreNew() {
    assertThat(
            ListComparison.of(
                ItemList.of(List.of("a")), false, _ -> Optional.empty(), 1, IndexSet.of(0)))
        .isEqualTo(new ListComparison(IndexSet.EMPTY, 1, 0));
  }

  @Test
  void bytesThatAreNoTextAreCompared() {
    byte[] raw = "caf\u00E9".getBytes(StandardCharsets.ISO_8859_1);
    ItemList list = ItemList.read(raw, dev.stint.cli.list.ListFormat.lines());
    assertThat(
            ListComparison.of(
                    list,
                    false,
                    index -> Optional.of(new Item(index, ItemText.of(raw), null)),
                    1,
                    IndexSet.of(0))
                .kept())
        .hasToString("0");
  }

  @Test
  void eachLineIsReadOnce() {
    int lines = 100_000;
    AtomicInteger read = new AtomicInteger();
    ItemList reversed =
        ItemList.of(IntStream.range(0, lines).mapToObj(i -> "line " + (lines - 1 - i)).toList());
    ListComparison comparison =
        ListComparison.of(
            reversed,
            false,
            index -> {
              read.incrementAndGet();
              return Optional.of(new Item(index, "line " + index, null));
            },
            lines,
            IndexSet.range(0, lines / 2));
    assertThat(comparison.kept().size()).isEqualTo(lines / 2 + 1);
    assertThat(read).hasValue(lines);
  }
}
