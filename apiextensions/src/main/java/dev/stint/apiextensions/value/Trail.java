package dev.stint.apiextensions.value;

import java.util.ArrayList;
import java.util.List;

/**
 * The way from an object to the value that is checked now. Its text is made on demand only, so that
 * walking a valid object costs little.
 */
public final class Trail {
  /** A member of a map, which some messages write in brackets. */
  private record Key(String name) {}

  private final List<Object> steps = new ArrayList<>();

  public void enter(String member) {
    steps.add(member);
  }

  public void enterKey(String key) {
    steps.add(new Key(key));
  }

  public void enterIndex(int index) {
    steps.add(index);
  }

  public void leave() {
    steps.removeLast();
  }

  public int depth() {
    return steps.size();
  }

  /** Returns the path with dots before keys of maps: {@code spec.labels.app}. "" is the root. */
  public String dotted() {
    return text(false);
  }

  /** Returns the path with keys of maps in brackets: {@code spec.labels[app]}. */
  public String bracketed() {
    return text(true);
  }

  private String text(boolean brackets) {
    StringBuilder path = new StringBuilder();
    for (Object step : steps) {
      switch (step) {
        case Integer index -> path.append('[').append(index).append(']');
        case Key(String name) when brackets -> path.append('[').append(name).append(']');
        case Key(String name) -> dot(path).append(name);
        default -> dot(path).append(step);
      }
    }
    return path.toString();
  }

  private static StringBuilder dot(StringBuilder path) {
    return path.isEmpty() ? path : path.append('.');
  }
}
