package dev.stint.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTreeTest {

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void agreesWithAnOrdinaryMapAfterAnyChanges(long seed) {
    Random random = new Random(seed);
    NavigableMap<String, Entry> expected = new TreeMap<>();
    KeyTree tree = KeyTree.EMPTY;
    for (int step = 1; step <= 2000; step++) {
      String key = key(random);
      if (expected.containsKey(key) && random.nextBoolean()) {
        tree = tree.without(key);
        expected.remove(key);
      } else {
        Entry entry = new Entry(key, new byte[0], step, step);
        tree = tree.with(entry);
        expected.put(key, entry);
      }
      String probe = key(random);
      assertThat(tree.get(probe)).isEqualTo(expected.get(probe));
      assertThat(tree.hasPrefix(probe)).isEqualTo(!tree.list(probe).isEmpty());
    }
    String prefix = key(random).substring(0, 1);
    assertThat(tree.list("")).containsExactlyElementsOf(expected.values());
    assertThat(tree.list(prefix))
        .containsExactlyElementsOf(expected.subMap(prefix, prefix + Character.MAX_VALUE).values());
  }

  @ParameterizedTest(name = "{0} entries")
  @ValueSource(ints = {0, 1, 2, 3, 1000})
  void aTreeOfSortedEntriesHoldsThemAll(int size) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      entries.add(new Entry("%04d".formatted(i), new byte[0], i, i));
    }
    assertThat(KeyTree.of(entries).list("")).isEqualTo(entries);
  }

  @ParameterizedTest(name = "{0} keys")
  @ValueSource(ints = {100, 10_000})
  void staysShallowWhenKeysComeInOrder(int keys) {
    KeyTree tree = KeyTree.EMPTY;
    for (int i = 0; i < keys; i++) {
      tree = tree.with(new Entry("%06d".formatted(i), new byte[0], i, i));
    }
    double bound = 1.45 * Math.log(keys + 2) / Math.log(2);
    assertThat(tree.height()).isLessThanOrEqualTo((int) Math.ceil(bound));
    for (int i = 0; i < keys - 10; i++) {
      tree = tree.without("%06d".formatted(i));
    }
    assertThat(tree.height()).isLessThanOrEqualTo(5);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {11, 12})
  void aTreeThatSomebodyHoldsNeverChanges(long seed) {
    Random random = new Random(seed);
    KeyTree held = KeyTree.EMPTY;
    for (int i = 0; i < 200; i++) {
      held = held.with(new Entry(key(random), new byte[0], i, i));
    }
    List<Entry> before = held.list("");
    KeyTree changed = held;
    for (Entry entry : before) {
      changed = changed.without(entry.key()).with(new Entry(key(random), new byte[0], 0, 0));
    }
    assertThat(held.list("")).isEqualTo(before);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {21, 22, 23})
  void aPartIsAListLikeAnyOther(long seed) {
    Random random = new Random(seed);
    KeyTree tree = KeyTree.EMPTY;
    for (int i = 0; i < 400; i++) {
      tree = tree.with(new Entry(key(random), new byte[0], i, i));
    }
    for (String prefix : List.of("", "0", "1/", "2/1", "2/199", "3", "/")) {
      List<Entry> part = tree.list(prefix);
      List<Entry> one = new ArrayList<>();
      for (int i = 0; i < part.size(); i++) {
        one.add(part.get(i));
      }
      assertThat(one).isSortedAccordingTo(Comparator.comparing(Entry::key));
      assertThat(part.stream().toList()).isEqualTo(one);
      assertThat(new ArrayList<>(part)).isEqualTo(one);
      assertThat(part.subList(part.size() / 3, part.size() / 2))
          .isEqualTo(one.subList(part.size() / 3, part.size() / 2));
      assertThatThrownBy(() -> part.get(part.size())).isInstanceOf(IndexOutOfBoundsException.class);
      Iterator<Entry> iterator = tree.list("none").iterator();
      assertThatThrownBy(iterator::next).isInstanceOf(NoSuchElementException.class);
    }
  }

  private static String key(Random random) {
    return random.nextInt(3) + "/" + random.nextInt(300);
  }
}
