package dev.stint.console;

import dev.stint.model.Json;
import dev.stint.model.index.IndexSet;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/**
 * Encodes the states of a Job's indexes, one {@code char} each: the number of its {@link IndexCell}
 * in the low bits, and the known number of attempts above. Pure.
 */
final class IndexMap {
  /** The largest number of indexes that is drawn. */
  static final int MOST = 1_000_000;

  private static final int STATE_BITS = 3;
  private static final int MOST_ATTEMPTS = (1 << 16 - STATE_BITS) - 1;
  private static final int STATES = (1 << STATE_BITS) - 1;

  private IndexMap() {}

  /**
   * Returns the codes of all indexes of a Job.
   *
   * @param completions the number of indexes
   * @param failed null if no index can fail for good
   * @param finished true if the Job has finished, so that nothing is retried
   * @param pods by index, then by uid
   */
  static char[] of(
      int completions,
      IndexSet completed,
      @Nullable IndexSet failed,
      boolean finished,
      Map<Integer, ? extends Map<String, ConsolePod>> pods) {
    char[] cells = new char[completions];
    pods.forEach((index, ofIndex) -> {
      if (index >= 0 && index < completions) {
        cells[index] = ofPods(ofIndex.values(), finished, failed != null);
      }
    });
    put(cells, completed, IndexCell.SUCCEEDED);
    if (failed != null) {
      put(cells, failed, IndexCell.FAILED);
    }
    return cells;
  }

  private static void put(char[] cells, IndexSet indexes, IndexCell state) {
    IntConsumer each = index -> cells[index] = code(state, attempts(cells[index]));
    indexes.below(cells.length).forEach(each);
  }

  /**
   * @param perIndex true if the Job records which indexes have failed
   */
  private static char ofPods(Collection<ConsolePod> pods, boolean finished, boolean perIndex) {
    IndexCell state = IndexCell.NONE;
    int attempts = 0;
    for (ConsolePod pod : pods) {
      attempts += pod.attempts();
      IndexCell own = finished ? afterEnd(pod.state(), perIndex) : whileRunning(pod.state());
      state = weight(own) > weight(state) ? own : state;
    }
    return code(state, attempts);
  }

  private static IndexCell whileRunning(IndexCell pod) {
    return pod == IndexCell.FAILED ? IndexCell.RETRYING : pod;
  }

  /**
   * Returns the state after the end of the Job; an end that the Job did not count shows as stopped.
   */
  private static IndexCell afterEnd(IndexCell pod, boolean perIndex) {
    return pod == IndexCell.SUCCEEDED || pod == IndexCell.FAILED && perIndex
        ? IndexCell.STOPPED
        : pod;
  }

  /** Orders the states of an index's pods; the highest weight decides. */
  private static int weight(IndexCell state) {
    return switch (state) {
      case NONE -> 0;
      case RETRYING, FAILED -> 1;
      case STOPPED -> 2;
      case WAITING -> 3;
      case RUNNING -> 4;
      case SUCCEEDED -> 5;
    };
  }

  private static char code(IndexCell state, int attempts) {
    return (char) (Math.min(attempts, MOST_ATTEMPTS) << STATE_BITS | state.number());
  }

  /** Returns the state in a code. */
  static IndexCell state(char code) {
    return IndexCell.of(code & STATES);
  }

  /** Returns the number of attempts in a code. */
  static int attempts(char code) {
    return code >> STATE_BITS;
  }

  /**
   * Returns the difference between two maps in compact form: for each state and number of attempts
   * the indexes that have it now, as {@code [state, attempts, "1,3-5"]}.
   *
   * @param before as long as {@code now}; null if nothing was sent yet, which means all {@link
   *     IndexCell#NONE}
   */
  static ArrayNode changes(char @Nullable [] before, char[] now) {
    Map<Character, StringBuilder> intervals = new TreeMap<>();
    int at = 0;
    while (at < now.length) {
      if (now[at] == (before == null ? 0 : before[at])) {
        at++;
        continue;
      }
      int first = at;
      char code = now[first];
      while (at < now.length && now[at] == code && code != (before == null ? 0 : before[at])) {
        at++;
      }
      append(intervals.computeIfAbsent(code, _ -> new StringBuilder()), first, at - 1);
    }
    ArrayNode groups = Json.array();
    intervals.forEach((code, text) ->
        groups.addArray().add(code & STATES).add(attempts(code)).add(text.toString()));
    return groups;
  }

  private static void append(StringBuilder text, int first, int last) {
    text.append(text.isEmpty() ? "" : ",").append(first);
    if (last > first) {
      text.append('-').append(last);
    }
  }
}
