package dev.stint.apiserver.flowcontrol;

import dev.stint.apiserver.flowcontrol.SeatRequest.State;
import dev.stint.model.flowcontrol.BuiltInFlowControl;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives out the server's seats. A deterministic state machine: it knows neither threads nor time.
 *
 * <p>A priority level may always take its guaranteed seats, which it does not lend. Beyond them, it
 * takes seats while some are free that are not guaranteed to others. It borrows, which is to take
 * more than its own seats, only while no other level waits for its own. When seats become free, the
 * level that holds the least of its own goes first; within a level, queues take turns ({@link
 * QueueSet}).
 */
public final class SeatAllocator {
  /** Receives what happens to requests that have waited. */
  public interface Listener {
    /** Called when a request that waited has its seats. */
    void onSeated(SeatRequest request);

    /** Called when a request that waited must give way. */
    void onEvicted(SeatRequest request);
  }

  /** The outcome of an arrival. */
  public enum Arrival {
    SEATED,
    WAITING,
    /** No seat is free, and the level has no queues. */
    CONCURRENCY_LIMIT,
    /** The queue is full. */
    QUEUE_FULL
  }

  private final int seats;
  private final int mostWaiting;
  private final long salt;
  private final Listener listener;
  private final Map<String, LevelSeats> levels = new LinkedHashMap<>();

  /**
   * Creates an allocator without levels; {@link #configure} is called before anything else.
   *
   * @param seats of the server
   * @param mostWaiting the number of requests that may wait in all queues together
   * @param salt makes the hands of flows unpredictable
   */
  public SeatAllocator(int seats, int mostWaiting, long salt, Listener listener) {
    this.seats = seats;
    this.mostWaiting = mostWaiting;
    this.salt = salt;
    this.listener = listener;
  }

  /**
   * Sets the priority levels. If a level is gone, refuses its waiting requests; running requests
   * keep their seats.
   */
  public void configure(Collection<PriorityLevel> wanted) {
    long shares = wanted.stream().mapToLong(PriorityLevel::shares).sum();
    Set<String> names = new HashSet<>();
    for (PriorityLevel level : wanted) {
      names.add(level.name());
      LevelSeats state = levels.computeIfAbsent(level.name(), LevelSeats::new);
      state.limit(level, seats, shares);
      queue(state, level.queuing());
    }
    levels.values().stream()
        .filter(level -> !names.contains(level.name()))
        .forEach(level -> {
          level.retire();
          queue(level, null);
        });
    forgetRetired();
    dispatch();
  }

  private void queue(LevelSeats level, PriorityLevel.@Nullable Queuing queuing) {
    QueueSet before = level.queues();
    if (before != null && before.queuing().equals(queuing)) {
      return;
    }
    QueueSet after = queuing == null ? null : new QueueSet(queuing, salt);
    List<SeatRequest> moved = before == null ? List.of() : before.removeAll();
    level.queueIn(after);
    for (SeatRequest request : moved) {
      if (after == null || !after.offer(request)) {
        evict(request);
      }
    }
  }

  private void evict(SeatRequest request) {
    request.become(State.OVER);
    listener.onEvicted(request);
  }

  /** Gives a new request its seats, or a place in a queue, or neither. */
  public Arrival arrive(SeatRequest request) {
    LevelSeats level = levelOf(request);
    request.joins(level);
    request.limit(level.widest());
    if (level.waiting() == 0 && mayTake(level, request.seats())) {
      seat(level, request);
      return Arrival.SEATED;
    }
    QueueSet queues = level.queues();
    if (queues == null) {
      request.become(State.OVER);
      return Arrival.CONCURRENCY_LIMIT;
    }
    if (!hasPlaceFor(request, queues) || !queues.offer(request)) {
      request.become(State.OVER);
      return Arrival.QUEUE_FULL;
    }
    request.become(State.WAITING);
    return Arrival.WAITING;
  }

  /**
   * True if one more request may wait. If too many do, the newest of the longest queue gives way,
   * unless that is no longer than the queue of the request itself.
   */
  private boolean hasPlaceFor(SeatRequest request, QueueSet queues) {
    if (waiting() < mostWaiting) {
      return true;
    }
    QueueSet longest = queues;
    for (LevelSeats level : levels.values()) {
      QueueSet other = level.queues();
      if (other != null && other.longest() > longest.longest()) {
        longest = other;
      }
    }
    if (longest.longest() <= queues.lengthFor(request) + 1) {
      return false;
    }
    evict(Objects.requireNonNull(longest.removeNewestOfLongest()));
    return true;
  }

  /** Ends a request: gives its seats back, or its place in a queue. */
  public void end(SeatRequest request) {
    LevelSeats level = request.holder();
    QueueSet queues = level.queues();
    State before = request.state();
    request.become(State.OVER);
    if (before == State.SEATED) {
      level.unseat(request.seats());
    } else if (before == State.WAITING && queues != null) {
      queues.remove(request);
    }
    dispatch();
    forgetRetired();
  }

  /** Returns the number of seats of a level of its own; 0 if there is no such level. */
  public int nominalSeats(String level) {
    LevelSeats found = levels.get(level);
    return found == null ? 0 : found.nominal();
  }

  /** Counts the seats that are taken. */
  public int inUse() {
    return levels.values().stream().mapToInt(LevelSeats::inUse).sum();
  }

  /** Counts the seats that a level holds. */
  int inUse(String level) {
    LevelSeats found = levels.get(level);
    return found == null ? 0 : found.inUse();
  }

  /** Counts the waiting requests. */
  int waiting() {
    return levels.values().stream().mapToInt(LevelSeats::waiting).sum();
  }

  /** Returns the level of a request; a level that is gone has become the last one. */
  private LevelSeats levelOf(SeatRequest request) {
    LevelSeats level = levels.get(request.level());
    return level != null ? level : Objects.requireNonNull(levels.get(BuiltInFlowControl.CATCH_ALL));
  }

  private boolean mayTake(LevelSeats level, int wanted) {
    return level.isGuaranteed(wanted)
        || level.mayHold(wanted)
            && wanted <= freeFor(level)
            && !(level.borrows(wanted) && isAnotherShort(level));
  }

  private int freeFor(LevelSeats level) {
    int free = seats;
    for (LevelSeats each : levels.values()) {
      free -= each.inUse() + (each == level ? 0 : each.reserved());
    }
    return free;
  }

  private boolean isAnotherShort(LevelSeats level) {
    for (LevelSeats each : levels.values()) {
      if (each != level && each.isShort()) {
        return true;
      }
    }
    return false;
  }

  /** Seats the waiting requests for which there are seats. */
  private void dispatch() {
    for (LevelSeats level = next(); level != null; level = next()) {
      QueueSet queues = Objects.requireNonNull(level.queues());
      SeatRequest request = Objects.requireNonNull(queues.head());
      queues.removeHead();
      seat(level, request);
      listener.onSeated(request);
    }
  }

  private @Nullable LevelSeats next() {
    LevelSeats next = null;
    for (LevelSeats level : levels.values()) {
      QueueSet queues = level.queues();
      SeatRequest head = queues == null || queues.size() == 0 ? null : queues.head();
      if (head != null
          && mayTake(level, head.seats())
          && (next == null || level.isLessLoaded(next))) {
        next = level;
      }
    }
    return next;
  }

  private static void seat(LevelSeats level, SeatRequest request) {
    level.seat(request.seats());
    request.become(State.SEATED);
  }

  private void forgetRetired() {
    levels.values().removeIf(level -> level.isRetired() && level.isIdle());
  }
}
