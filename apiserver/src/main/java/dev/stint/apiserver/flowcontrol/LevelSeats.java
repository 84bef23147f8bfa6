package dev.stint.apiserver.flowcontrol;

import org.jspecify.annotations.Nullable;

/** The seats and queues of one priority level. */
final class LevelSeats {
  /** The part of a level's own seats that one request may take. */
  private static final double WIDEST = 0.25;

  private final String name;
  private int nominal;
  private int guaranteed;
  private int most;
  private int inUse;
  private int executing;
  private boolean retired;
  private @Nullable QueueSet queues;

  LevelSeats(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  /** Sets the limits of a level. */
  void limit(PriorityLevel level, int allSeats, long allShares) {
    nominal = level.seats(allSeats, allShares);
    guaranteed = nominal - level.lendable(nominal);
    most = level.most(nominal, allSeats);
    retired = false;
  }

  /** Leaves a level that is not configured any more without seats of its own. */
  void retire() {
    nominal = 0;
    guaranteed = 0;
    most = 0;
    retired = true;
  }

  boolean isRetired() {
    return retired;
  }

  int nominal() {
    return nominal;
  }

  int inUse() {
    return inUse;
  }

  int executing() {
    return executing;
  }

  @Nullable QueueSet queues() {
    return queues;
  }

  void queueIn(@Nullable QueueSet other) {
    queues = other;
  }

  int waiting() {
    return queues == null ? 0 : queues.size();
  }

  boolean isIdle() {
    return executing == 0 && waiting() == 0;
  }

  /** Returns the seats that no other level may take. */
  int reserved() {
    return Math.max(0, guaranteed - inUse);
  }

  /** Returns the most seats that one request may take. */
  int widest() {
    return Math.max(1, (int) (nominal * WIDEST));
  }

  /** True if this many more seats are its own, whatever other levels hold. */
  boolean isGuaranteed(int seats) {
    return inUse + seats <= guaranteed;
  }

  /** True if it may hold this many more seats if they are free. */
  boolean mayHold(int seats) {
    return inUse + seats <= most;
  }

  /** True if this many more seats would be borrowed. */
  boolean borrows(int seats) {
    return inUse + seats > nominal;
  }

  /** True if requests wait although it holds less than its own seats. */
  boolean isShort() {
    return waiting() > 0 && inUse < nominal;
  }

  /** True if it holds less of its own seats than another level does. */
  boolean isLessLoaded(LevelSeats other) {
    return (long) inUse * other.nominal < (long) other.inUse * nominal;
  }

  void seat(int seats) {
    inUse += seats;
    executing++;
  }

  void unseat(int seats) {
    inUse -= seats;
    executing--;
  }
}
