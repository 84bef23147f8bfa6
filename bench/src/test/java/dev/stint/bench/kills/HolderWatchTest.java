package dev.stint.bench.kills;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HolderWatchTest {
  private static final List<String> ALL = List.of("a", "b", "c");

  @Test
  void twoHoldersAreFound() {
    Set<String> holders = Set.of("a", "c");
    assertThat(HolderWatch.atOnce(ALL, holders::contains)).containsExactly("a", "c");
  }

  @Test
  void oneThatHandsOverBetweenTwoLooksIsNoSecondHolder() {
    Set<String> holders = new HashSet<>(Set.of("a"));
    List<String> found =
        HolderWatch.atOnce(
            ALL,
            each -> {
              boolean holds = holders.contains(each);
              if (holds && each.equals("a")) {
                holders.remove("a");
                holders.add("b");
              }
              return holds;
            });
    assertThat(found).containsExactly("b");
  }
}
