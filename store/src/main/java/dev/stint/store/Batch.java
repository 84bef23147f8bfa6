package dev.stint.store;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes that are decided and committed together.
 *
 * @param next the state after the writes
 * @param events the events of the accepted writes, in order
 * @param outcomes one of each write, in order
 */
record Batch(State next, List<StoreEvent> events, List<WriteOutcome> outcomes) {

  /** All entries at one revision. */
  record State(KeyTree entries, long revision) {
    State after(StoreEvent event) {
      Entry after = event.after();
      KeyTree next = after == null ? entries.without(event.key()) : entries.with(after);
      return new State(next, event.revision());
    }
  }

  /**
   * The result of one write.
   *
   * @param event the write's last event; null if it was refused
   * @param refusal null if it was not refused
   */
  record WriteOutcome(
      Write<?> write, @Nullable StoreEvent event, @Nullable StoreException refusal) {
    void answer() {
      if (event != null) {
        write.done(event);
      } else if (refusal != null) {
        write.refused(refusal);
      }
    }
  }

  /** Answers either the writes ahead of the disk, or those that wait for it. */
  void answer(boolean ahead) {
    for (WriteOutcome outcome : outcomes) {
      if (outcome.write().ahead() == ahead) {
        outcome.answer();
      }
    }
  }

  /** Refuses the writes that wait for the disk. */
  void refuse(StoreException why) {
    for (WriteOutcome outcome : outcomes) {
      if (!outcome.write().ahead()) {
        outcome.write().refused(why);
      }
    }
  }

  /** Checks each write against the state that the writes before it leave. */
  static Batch decide(State state, List<Write<?>> writes) {
    State next = state;
    List<StoreEvent> events = new ArrayList<>(writes.size());
    List<WriteOutcome> outcomes = new ArrayList<>(writes.size());
    for (Write<?> write : writes) {
      try {
        List<StoreEvent> decided = write.decide(next);
        outcomes.add(new WriteOutcome(write, decided.getLast(), null));
        for (StoreEvent event : decided) {
          events.add(event);
          next = next.after(event);
        }
      } catch (StoreException refusal) {
        outcomes.add(new WriteOutcome(write, null, refusal));
      }
    }
    return new Batch(next, events, outcomes);
  }
}
