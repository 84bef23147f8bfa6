package dev.stint.reconcile;

import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;

/** A queue of things by precedence, and in the order of their arrival among those of the same. */
final class PrecedenceQueue<T> {
  /**
   * The number from which on every second turn is theirs, so that what is sent and not waited for,
   * such as events, takes no more memory.
   */
  static final int MANY = 10_000;

  /** Those that wait, without precedences of which none does. */
  private final Map<Precedence, Queue<T>> waiting = new EnumMap<>(Precedence.class);

  private int turn;

  void add(Precedence precedence, T thing) {
    waiting.computeIfAbsent(precedence, _ -> new ArrayDeque<>()).add(thing);
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Removes the next one; the queue must not be empty. */
  T remove() {
    int now = turn++;
    Precedence next =
        waiting.keySet().stream()
            .reduce((first, later) -> hasTurn(later, now) ? later : first)
            .orElseThrow();
    Queue<T> queue = waiting.getOrDefault(next, new ArrayDeque<>());
    T thing = queue.remove();
    if (queue.isEmpty()) {
      waiting.remove(next);
    }
    return thing;
  }

  private boolean hasTurn(Precedence precedence, int now) {
    boolean areMany = Objects.requireNonNull(waiting.get(precedence)).size() >= MANY;
    return precedence.hasTurn(now) || (areMany && now % 2 == 0);
  }
}
