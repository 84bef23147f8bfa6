package dev.stint.model;

import java.util.List;

/** Names in texts: the first few of them, and how many more there are. */
public final class FewNames {
  /** The number of names that are shown. */
  public static final int MOST = 5;

  private FewNames() {}

  /** Returns the first few names: {@code a, b, c, d, e and 2 more}. */
  public static String of(List<String> names) {
    return of(names.subList(0, Math.min(names.size(), MOST)), names.size());
  }

  /**
   * Returns these names and the number of those that are not given.
   *
   * @param all the number of all names
   */
  public static String of(List<String> shown, int all) {
    int more = all - shown.size();
    return String.join(", ", shown) + (more > 0 ? " and " + more + " more" : "");
  }
}
