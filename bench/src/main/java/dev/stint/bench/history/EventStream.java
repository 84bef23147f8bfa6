package dev.stint.bench.history;

import java.util.List;

/**
 * One watch, from its request to its end.
 *
 * @param side the value of the label that it selects; "" if it selects all objects
 * @param from the revision after which it begins
 * @param known the objects that its client knew at this revision
 */
public record EventStream(
    int client, String side, long from, List<Version> known, List<Delivery> deliveries) {

  /** Counts its events. */
  public int size() {
    return deliveries.size();
  }

  boolean selects(Content content) {
    return side.isEmpty() || side.equals(content.side());
  }

  /** Returns the revision up to which the server has said that it delivered everything. */
  long covered() {
    return deliveries.isEmpty() ? from : Math.max(from, deliveries.getLast().revision());
  }
}
