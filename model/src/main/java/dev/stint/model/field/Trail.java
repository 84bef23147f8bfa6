package dev.stint.model.field;

import java.util.Arrays;

/**
 * The way from a document to the value at hand. Its text is made on demand only, so that walking a
 * sound document costs little, whatever the names of its members.
 */
public final class Trail {
  /** The maximum length of a text in characters. Only paths of made-up documents are longer. */
  private static final int LONGEST_TEXT = 1024;

  private static final String CUT = "...";

  /** Stand in the place of the index, for steps that have a name. */
  private static final int MEMBER = -1;

  private static final int KEY = -2;

  /** The names of the steps; "" for items of lists. */
  private String[] names = new String[16];

  private int[] indexes = new int[16];
  private int depth;

  public void enter(String member) {
    add(member, MEMBER);
  }

  /** Enters a member of a map, which some messages write in brackets. */
  public void enterKey(String key) {
    add(key, KEY);
  }

  public void enterIndex(int index) {
    add("", index);
  }

  public void leave() {
    depth--;
  }

  public int depth() {
    return depth;
  }

  /**
   * Returns the path with dots before keys of maps: {@code spec.labels.app}. "" is the root. Dots
   * stand at the end of a path that is cut, as it would be very long.
   */
  public String dotted() {
    return text(false);
  }

  /** Returns the path with keys of maps in brackets: {@code spec.labels[app]}. Else the same. */
  public String bracketed() {
    return text(true);
  }

  /** Returns a name for a message; like a path, it is cut if it is very long. */
  public static String cut(String name) {
    return name.length() <= LONGEST_TEXT ? name : name.substring(0, LONGEST_TEXT) + CUT;
  }

  private void add(String name, int index) {
    if (depth == names.length) {
      names = Arrays.copyOf(names, 2 * depth);
      indexes = Arrays.copyOf(indexes, 2 * depth);
    }
    names[depth] = name;
    indexes[depth++] = index;
  }

  private String text(boolean brackets) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < depth && path.length() <= LONGEST_TEXT; i++) {
      int index = indexes[i];
      String name = cut(names[i]);
      if (index >= 0) {
        path.append('[').append(index).append(']');
      } else if (index == KEY && brackets) {
        path.append('[').append(name).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(name);
      }
    }
    return cut(path.toString());
  }
}
