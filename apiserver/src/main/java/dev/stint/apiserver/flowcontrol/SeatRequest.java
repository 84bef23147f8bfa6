package dev.stint.apiserver.flowcontrol;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One request, which asks its priority level for seats. Not thread-safe. */
public class SeatRequest {
  /** The state of a request. */
  public enum State {
    NEW,
    WAITING,
    SEATED,
    OVER
  }

  private final String level;
  private final String schema;
  private final String flow;
  private final int wanted;
  private int seats;
  private @Nullable LevelSeats holder;
  private State state = State.NEW;

  /**
   * @param level the name of the priority level
   * @param schema the name of the flow schema
   * @param flow distinguishes the flow from others of the schema
   * @param wanted how many seats the request would like; at least 1
   */
  public SeatRequest(String level, String schema, String flow, int wanted) {
    this.level = level;
    this.schema = schema;
    this.flow = flow;
    this.wanted = wanted;
  }

  public final State state() {
    return state;
  }

  final void become(State other) {
    state = other;
  }

  final String level() {
    return level;
  }

  /** Remembers where the request takes its seats, whatever is configured later. */
  final void joins(LevelSeats where) {
    holder = where;
  }

  final LevelSeats holder() {
    return Objects.requireNonNull(holder);
  }

  /** Returns a number that is the same for all requests of a flow, and different for others. */
  final long flowHash(long salt) {
    long hash = salt;
    for (String part : new String[] {schema, flow}) {
      for (int i = 0; i < part.length(); i++) {
        hash = mixed(hash ^ part.charAt(i));
      }
      hash = mixed(hash ^ -1);
    }
    return hash;
  }

  private static long mixed(long hash) {
    long one = (hash ^ (hash >>> 32)) * 0x9E3779B97F4A7C15L;
    return one ^ (one >>> 29);
  }

  /** Returns the number of seats that it takes. */
  public final int seats() {
    return seats;
  }

  /** Reduces the number of seats to what the level may give one request. */
  final void limit(int most) {
    seats = Math.clamp(wanted, 1, Math.max(1, most));
  }
}
