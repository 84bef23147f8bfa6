package dev.stint.model.document;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that was probably meant. */
public final class SpellingHint {
  private SpellingHint() {}

  /** Returns the known name nearest to a wrong one, if one is near. */
  public static Optional<String> nearest(String wrong, Collection<String> known) {
    int allowed = Math.max(1, Math.min(3, wrong.length() / 4));
    return known.stream()
        .filter(name -> Math.abs(name.length() - wrong.length()) <= allowed)
        .filter(name -> distance(wrong, name) <= allowed)
        .min(Comparator.comparingInt((String name) -> distance(wrong, name)).thenComparing(n -> n));
  }

  /**
   * Returns the edit distance (insertions, deletions, replacements and swaps of neighbours),
   * ignoring case.
   */
  private static int distance(String a, String b) {
    String from = a.toLowerCase(Locale.ROOT);
    String to = b.toLowerCase(Locale.ROOT);
    int[][] cost = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(cost, from, to, i, j);
      }
    }
    return cost[from.length()][to.length()];
  }

  private static int cheapest(int[][] cost, String from, String to, int i, int j) {
    boolean same = from.charAt(i - 1) == to.charAt(j - 1);
    int best =
        Math.min(cost[i - 1][j - 1] + (same ? 0 : 1), Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
    boolean swapped =
        i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1);
    return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
  }
}
