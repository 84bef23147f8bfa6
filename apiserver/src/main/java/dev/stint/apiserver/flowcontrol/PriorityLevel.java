package dev.stint.apiserver.flowcontrol;

import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldPath;
import org.jspecify.annotations.Nullable;

/**
 * A priority level, as its object configures it.
 *
 * @param uid "" for a built-in level that is not stored
 * @param exempt true if requests never wait
 * @param shares the share of all seats, in relation to those of other levels
 * @param lendablePercent the percentage of its seats that other levels may borrow
 * @param borrowingLimitPercent the seats that it may borrow, in percent of its own; null for no
 *     limit
 * @param queuing the queues; null if requests that find no seat are refused at once
 */
public record PriorityLevel(
    String name,
    String uid,
    boolean exempt,
    int shares,
    int lendablePercent,
    @Nullable Integer borrowingLimitPercent,
    @Nullable Queuing queuing) {
  private static final int MOST = 1_000_000;

  /**
   * The queues of a level.
   *
   * @param queues the number of queues
   * @param handSize the number of queues that one flow may use
   * @param lengthLimit the number of requests that may wait in one queue
   */
  public record Queuing(int queues, int handSize, int lengthLimit) {}

  /** Returns the level that a valid object configures. */
  static PriorityLevel of(KubeObject object) {
    FieldPath spec = FieldPath.root(object.tree()).get("spec");
    boolean exempt = spec.get("type").text().equals("Exempt");
    FieldPath limits = spec.get(exempt ? "exempt" : "limited");
    FieldPath borrowing = limits.get("borrowingLimitPercent");
    FieldPath queuing = limits.get("limitResponse", "queuing");
    return new PriorityLevel(
        object.name(),
        object.uid(),
        exempt,
        number(limits.get("nominalConcurrencyShares")),
        number(limits.get("lendablePercent")),
        borrowing.exists() ? number(borrowing) : null,
        queuing.exists() ? queuing(queuing) : null);
  }

  private static Queuing queuing(FieldPath queuing) {
    return new Queuing(
        number(queuing.get("queues")),
        number(queuing.get("handSize")),
        number(queuing.get("queueLengthLimit")));
  }

  private static int number(FieldPath number) {
    return Math.clamp(number.count(), 0, MOST);
  }

  /** Returns the seats that the level has, of all seats and all shares. */
  int seats(int allSeats, long allShares) {
    return shares == 0 ? 0 : (int) Math.ceilDiv((long) allSeats * shares, allShares);
  }

  /** Returns how many of its seats other levels may borrow. */
  int lendable(int seats) {
    return (int) Math.round(seats * (lendablePercent / 100.0));
  }

  /** Returns the most seats that it may hold, of all seats. */
  int most(int seats, int allSeats) {
    return borrowingLimitPercent == null
        ? allSeats
        : (int) Math.min(allSeats, seats + Math.round(seats * (borrowingLimitPercent / 100.0)));
  }
}
