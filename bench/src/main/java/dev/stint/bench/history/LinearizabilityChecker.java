package dev.stint.bench.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for an order of operations in which each takes effect at one moment between its call and
 * its end, as if the object carried out one at a time.
 *
 * <p>The search is the one of Wing and Gong with Lowe's memory of the configurations that were met,
 * as in Porcupine: operations that have begun are tried one after the other; if one ends that has
 * no place yet, the last choice is taken back.
 *
 * @param <S> the state of the model
 */
final class LinearizabilityChecker<S> {

  /**
   * The result of a search.
   *
   * @param longest the end of the longest order
   * @param stuck the first operation that ends without a place; null if all have one
   * @param isUndecided true if the search was given up
   */
  record Result(
      boolean isLinearizable,
      boolean isUndecided,
      List<Operation> longest,
      @Nullable Operation stuck) {}

  /** A set of operations with a place, and the state that they lead to. */
  private record Configuration<S>(int first, BitSet others, S state) {}

  /** A choice that may be taken back. */
  private record Choice<S>(Event call, S before, Iterator<S> rest) {}

  /** A call or an end, in a list of those whose operations have no place yet. */
  private static final class Event {
    final int operation;
    final boolean isCall;
    final long time;
    @Nullable Event end;
    @Nullable Event previous;
    @Nullable Event next;

    Event(int operation, boolean isCall, long time) {
      this.operation = operation;
      this.isCall = isCall;
      this.time = time;
    }

    void unlink() {
      if (previous != null) {
        previous.next = next;
      }
      if (next != null) {
        next.previous = previous;
      }
    }

    void relink() {
      if (previous != null) {
        previous.next = this;
      }
      if (next != null) {
        next.previous = this;
      }
    }
  }

  private static final int SHOWN = 12;

  private final SequentialModel<S, Operation> model;
  private final List<Operation> operations;
  private final long maxSteps;
  private final Event head = new Event(-1, true, Long.MIN_VALUE);
  private final BitSet placed = new BitSet();
  private final Set<Configuration<S>> met = new HashSet<>();
  private final Deque<Choice<S>> choices = new ArrayDeque<>();
  private S state;
  private List<Operation> longest = List.of();
  private @Nullable Operation stuck;
  private int most = -1;

  private LinearizabilityChecker(
      SequentialModel<S, Operation> model, List<Operation> operations, long maxSteps) {
    this.model = model;
    this.operations =
        operations.stream().sorted(Comparator.comparingLong(Operation::call)).toList();
    this.maxSteps = maxSteps;
    this.state = model.initial();
    link();
  }

  /**
   * @param maxSteps how many choices to try before the search is given up
   */
  static <S> Result check(
      SequentialModel<S, Operation> model, List<Operation> operations, long maxSteps) {
    return new LinearizabilityChecker<>(model, operations, maxSteps).search();
  }

  /** Links all events in the order of time; at the same time, calls come before ends. */
  private void link() {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      Event call = new Event(i, true, operations.get(i).call());
      call.end = new Event(i, false, operations.get(i).end());
      events.add(call);
      events.add(call.end);
    }
    events.sort(Comparator.<Event>comparingLong(e -> e.time).thenComparing(e -> !e.isCall));
    Event last = head;
    for (Event event : events) {
      last.next = event;
      event.previous = last;
      last = event;
    }
  }

  private Result search() {
    Event event = head.next;
    long steps = 0;
    while (head.next != null && event != null) {
      if (steps++ > maxSteps) {
        return new Result(false, true, longest, stuck);
      }
      if (event.isCall) {
        Iterator<S> states = model.next(state, operations.get(event.operation)).iterator();
        event = place(event, states) ? head.next : event.next;
      } else {
        noteStuck(event);
        if (choices.isEmpty()) {
          return new Result(false, false, longest, stuck);
        }
        event = takeBack();
      }
    }
    return new Result(true, false, end(), null);
  }

  /** Gives the operation the next place, if that leads to a configuration that is new. */
  private boolean place(Event call, Iterator<S> states) {
    placed.set(call.operation);
    while (states.hasNext()) {
      S next = states.next();
      if (met.add(configuration(next))) {
        choices.push(new Choice<>(call, state, states));
        state = next;
        call.unlink();
        if (call.end != null) {
          call.end.unlink();
        }
        return true;
      }
    }
    placed.clear(call.operation);
    return false;
  }

  /** Takes the last choice back, and returns the event to go on with. */
  private @Nullable Event takeBack() {
    Choice<S> choice = choices.pop();
    Event call = choice.call();
    state = choice.before();
    placed.clear(call.operation);
    if (call.end != null) {
      call.end.relink();
    }
    call.relink();
    return place(call, choice.rest()) ? head.next : call.next;
  }

  private Configuration<S> configuration(S next) {
    int first = placed.nextClearBit(0);
    return new Configuration<>(first, placed.get(first, placed.length()), next);
  }

  private void noteStuck(Event end) {
    if (choices.size() > most) {
      most = choices.size();
      longest = end();
      stuck = operations.get(end.operation);
    }
  }

  /** Returns the operations that were given a place last, in their order. */
  private List<Operation> end() {
    return choices.stream()
        .limit(SHOWN)
        .map(choice -> operations.get(choice.call().operation))
        .toList()
        .reversed();
  }
}
