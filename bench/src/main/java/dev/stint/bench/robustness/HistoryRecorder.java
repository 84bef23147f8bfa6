package dev.stint.bench.robustness;

import dev.stint.bench.history.EventStream;
import dev.stint.bench.history.Listing;
import dev.stint.bench.history.Operation;
import dev.stint.bench.history.Outcome;
import dev.stint.bench.history.RecordedHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Collects what all clients of a server see. Knows when processes of the server died. */
final class HistoryRecorder {
  private final long origin = System.nanoTime();
  private final List<Operation> operations = new ArrayList<>();
  private final List<Listing> listings = new ArrayList<>();
  private final List<EventStream> streams = new ArrayList<>();
  private final Map<String, Integer> notes = new TreeMap<>();
  private final List<Long> deaths = new ArrayList<>();
  private boolean isAlive;

  /** Returns the time of the history. */
  long now() {
    return System.nanoTime() - origin;
  }

  synchronized void add(Operation operation) {
    operations.add(operation);
  }

  synchronized void add(Listing listing) {
    listings.add(listing);
  }

  synchronized void add(EventStream stream) {
    streams.add(stream);
  }

  /** Counts something that is no part of the history. */
  synchronized void note(String what) {
    notes.merge(what, 1, Integer::sum);
  }

  synchronized void onStart() {
    isAlive = true;
  }

  /** Records that the process is dead: it carries out nothing any more. */
  synchronized void onDeath() {
    if (isAlive) {
      isAlive = false;
      deaths.add(now());
    }
  }

  /** Counts the operations so far. */
  synchronized int operations() {
    return operations.size();
  }

  synchronized Map<String, Integer> notes() {
    return new TreeMap<>(notes);
  }

  synchronized RecordedHistory history() {
    List<Operation> all = operations.stream().map(this::bounded).toList();
    return new RecordedHistory(all, List.copyOf(listings), List.copyOf(streams));
  }

  /**
   * Returns the operation with its end. A request without an answer may be carried out until the
   * process that has it dies: the one that lived when its client gave up, or an earlier one.
   */
  private Operation bounded(Operation operation) {
    if (!(operation.outcome() instanceof Outcome.Unknown)) {
      return operation;
    }
    return operation.withEnd(
        deaths.stream()
            .filter(death -> death >= operation.end())
            .findFirst()
            .orElse(Operation.NEVER));
  }
}
