package dev.stint.apiserver.flowcontrol;

import dev.stint.apiserver.flowcontrol.PriorityLevel.Queuing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a priority level. Queues take turns by start-time fair queuing: each head has a
 * start in virtual time, the earliest goes first, and the next one of the same queue starts as many
 * seats later as the head takes. A queue that was empty starts with the one that went last, so that
 * its request waits for at most one of each other queue.
 */
final class QueueSet {
  private static final int IDLE_QUEUES = 64;

  /** One queue, in virtual time. */
  private static final class Queue {
    private final int index;
    private final Deque<SeatRequest> waiting = new ArrayDeque<>();
    private long start;

    Queue(int index) {
      this.index = index;
    }

    boolean isBefore(Queue other) {
      return start < other.start || start == other.start && index < other.index;
    }
  }

  private final Queuing queuing;
  private final long salt;
  private final Map<Integer, Queue> queues = new HashMap<>();
  private int waiting;
  private long now;

  /**
   * @param salt makes hands unpredictable
   */
  QueueSet(Queuing queuing, long salt) {
    this.queuing = queuing;
    this.salt = salt;
  }

  Queuing queuing() {
    return queuing;
  }

  /** Counts the waiting requests. */
  int size() {
    return waiting;
  }

  /**
   * Adds a request to the shortest queue of its flow.
   *
   * @return false if that is full
   */
  boolean offer(SeatRequest request) {
    Queue queue = shortestOf(request);
    if (queue.waiting.size() >= queuing.lengthLimit()) {
      return false;
    }
    if (queue.waiting.isEmpty()) {
      queue.start = Math.max(queue.start, now);
    }
    queue.waiting.add(request);
    waiting++;
    return true;
  }

  /** Returns the length of the queue that a request would join. */
  int lengthFor(SeatRequest request) {
    return shortestOf(request).waiting.size();
  }

  private Queue shortestOf(SeatRequest request) {
    Queue shortest = null;
    int[] hand = ShuffleSharding.hand(request.flowHash(salt), queuing.queues(), queuing.handSize());
    for (int index : hand) {
      Queue queue = queues.computeIfAbsent(index, Queue::new);
      if (shortest == null || queue.waiting.size() < shortest.waiting.size()) {
        shortest = queue;
      }
    }
    return Objects.requireNonNull(shortest);
  }

  /** Returns the request whose turn it is; null if none waits. */
  @Nullable SeatRequest head() {
    Queue first = first();
    return first == null ? null : first.waiting.peek();
  }

  /** Removes the request whose turn it is. */
  void removeHead() {
    Queue first = first();
    if (first != null) {
      SeatRequest request = first.waiting.remove();
      now = first.start;
      first.start += request.seats();
      waiting--;
      forgetIdle();
    }
  }

  private @Nullable Queue first() {
    Queue first = null;
    for (Queue queue : queues.values()) {
      if (!queue.waiting.isEmpty() && (first == null || queue.isBefore(first))) {
        first = queue;
      }
    }
    return first;
  }

  /** Removes a request that waits no longer. */
  void remove(SeatRequest request) {
    for (Queue queue : queues.values()) {
      if (queue.waiting.remove(request)) {
        waiting--;
        return;
      }
    }
  }

  /** Returns the length of the longest queue. */
  int longest() {
    return queues.values().stream().mapToInt(queue -> queue.waiting.size()).max().orElse(0);
  }

  /** Removes and returns the newest request of the longest queue. */
  @Nullable SeatRequest removeNewestOfLongest() {
    Queue longest = null;
    for (Queue queue : queues.values()) {
      if (longest == null || queue.waiting.size() > longest.waiting.size()) {
        longest = queue;
      }
    }
    SeatRequest newest = longest == null ? null : longest.waiting.pollLast();
    waiting -= newest == null ? 0 : 1;
    return newest;
  }

  /** Removes and returns all requests, in the order of their turns. */
  List<SeatRequest> removeAll() {
    List<SeatRequest> all = new ArrayList<>();
    for (SeatRequest head = head(); head != null; head = head()) {
      all.add(head);
      removeHead();
    }
    return all;
  }

  /** Forgets empty queues whose turn would be now anyway. */
  private void forgetIdle() {
    if (queues.size() > IDLE_QUEUES) {
      queues.values().removeIf(queue -> queue.waiting.isEmpty() && queue.start <= now);
    }
  }
}
