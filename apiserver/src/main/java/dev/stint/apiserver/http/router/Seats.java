package dev.stint.apiserver.http.router;

import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.flowcontrol.PriorityLevel;
import dev.stint.apiserver.flowcontrol.SeatAllocator;
import dev.stint.apiserver.flowcontrol.SeatRequest;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.TimeoutParameter;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.Timers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The seats of the server, for threads that wait for them. */
public final class Seats {
  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
  private static final int PER_CORE = 32;
  private static final int FEWEST = 64;
  private static final int MOST = 300;
  private static final int MOST_WAITING = 1_200;

  /** The time limit of a request whose client does not say how long it waits. */
  private static final Duration USUAL_TIMEOUT = Duration.ofMinutes(1);

  /** The part of its time limit that a request waits at most, as in Kubernetes. */
  private static final int PART_TO_WAIT = 4;

  /** The longest time that any request waits. */
  static final Duration LONGEST_WAIT = USUAL_TIMEOUT.dividedBy(PART_TO_WAIT);

  private final ReentrantLock lock = new ReentrantLock();
  private final SeatAllocator allocator;
  private final InstantSource clock;
  private final Timers timers;

  /** The number of seats that were taken at the last arrival. */
  private volatile int busy;

  /** The end of a wait. */
  private enum WaitEnd {
    SEATED,
    EVICTED,
    TIMED_OUT
  }

  /**
   * @param seats the number of seats
   * @param mostWaiting the number of requests that may wait for seats
   * @param salt a random number, which makes the queues of flows unpredictable
   */
  Seats(int seats, int mostWaiting, long salt, InstantSource clock, Timers timers) {
    this.allocator = new SeatAllocator(seats, mostWaiting, salt, new Told());
    this.clock = clock;
    this.timers = timers;
  }

  /** Returns seats for this machine: few, so that those who do not flood are answered soon. */
  public static Seats ofThisMachine(long salt, InstantSource clock, Timers timers) {
    int wanted = PER_CORE * PROCESSORS;
    return new Seats(Math.clamp(wanted, FEWEST, MOST), MOST_WAITING, salt, clock, timers);
  }

  /** Completes the waits of requests. */
  private static final class Told implements SeatAllocator.Listener {
    @Override
    public void onSeated(SeatRequest request) {
      ((PendingRequest) request).outcome.complete(WaitEnd.SEATED);
    }

    @Override
    public void onEvicted(SeatRequest request) {
      ((PendingRequest) request).outcome.complete(WaitEnd.EVICTED);
    }
  }

  private static final class PendingRequest extends SeatRequest {
    private final CompletableFuture<WaitEnd> outcome = new CompletableFuture<>();

    PendingRequest(FlowController.Flows flows, String flow, int seats) {
      super(flows.level().name(), flows.schema().name(), flow, seats);
    }
  }

  /** Sets the priority levels; returns the number of seats of each. */
  Map<String, Integer> configure(Collection<PriorityLevel> levels) {
    lock.lock();
    try {
      allocator.configure(levels);
      Map<String, Integer> seats = new LinkedHashMap<>();
      levels.forEach(level -> seats.put(level.name(), allocator.nominalSeats(level.name())));
      return seats;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the turn of a request, which has no seats yet.
   *
   * @param width the number of seats that it would like
   */
  Turn turn(FlowController.Flows flows, RequestAttributes attributes, int width, Call call) {
    Duration patience = TimeoutParameter.atMost(USUAL_TIMEOUT, call).dividedBy(PART_TO_WAIT);
    return new Turn(flows, flows.schema().flowOf(attributes), width, patience);
  }

  private void end(SeatRequest request) {
    lock.lock();
    try {
      allocator.end(request);
    } finally {
      lock.unlock();
    }
  }

  /** Ends a wait that has become too long. */
  private void expire(PendingRequest request) {
    lock.lock();
    try {
      if (request.state() == SeatRequest.State.WAITING) {
        allocator.end(request);
        request.outcome.complete(WaitEnd.TIMED_OUT);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The turn of one request; used by one thread at a time. */
  final class Turn {
    private final FlowController.Flows flows;
    private final String flow;
    private final Duration patience;
    private int width;
    private @Nullable PendingRequest request;
    private boolean begun;
    private boolean ended;

    private Turn(FlowController.Flows flows, String flow, int width, Duration patience) {
      this.flows = flows;
      this.flow = flow;
      this.patience = patience;
      this.width = width;
    }

    /** Takes seats, waiting for them. Throws {@code TOO_MANY_REQUESTS} if there are none. */
    void take() throws IOException {
      Duration waited = flows.level().exempt() ? Duration.ZERO : seated();
      if (!begun) {
        begun = true;
        flows.metrics().onDispatched(waited);
      }
    }

    private Duration seated() throws IOException {
      PendingRequest mine = new PendingRequest(flows, flow, width);
      switch (arrive(mine)) {
        case SEATED -> {
          request = mine;
          letOthersArrive();
        }
        case CONCURRENCY_LIMIT -> throw refused("concurrency-limit", Duration.ZERO);
        case QUEUE_FULL -> throw refused("queue-full", Duration.ZERO);
        case WAITING -> {
          return waited(mine);
        }
      }
      return Duration.ZERO;
    }

    /**
     * Gives requests that have arrived meanwhile the chance to take their seats before this one
     * keeps a processor busy: threads are scheduled in the order of their arrival, whoever they
     * work for.
     */
    @SuppressWarnings("ThreadPriorityCheck") // Nothing but fairness depends on it.
    private void letOthersArrive() {
      if (busy > PROCESSORS) {
        Thread.yield();
      }
    }

    private SeatAllocator.Arrival arrive(PendingRequest mine) {
      lock.lock();
      try {
        SeatAllocator.Arrival arrival = allocator.arrive(mine);
        busy = allocator.inUse();
        return arrival;
      } finally {
        lock.unlock();
      }
    }

    private Duration waited(PendingRequest mine) throws IOException {
      Instant start = clock.instant();
      Runnable timer = timers.after(patience, () -> expire(mine));
      flows.metrics().onQueued();
      WaitEnd outcome;
      try {
        outcome = mine.outcome.get();
      } catch (InterruptedException stopping) {
        Seats.this.end(mine);
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("the server stops");
      } catch (ExecutionException impossible) {
        throw new IllegalStateException(impossible);
      } finally {
        timer.run();
        flows.metrics().onUnqueued();
      }
      Duration waited = Duration.between(start, clock.instant());
      request =
          switch (outcome) {
            case SEATED -> mine;
            case EVICTED -> throw refused("queue-full", waited);
            case TIMED_OUT -> throw refused("time-out", waited);
          };
      return waited;
    }

    private ClusterException refused(String reason, Duration waited) {
      flows.metrics().onRejected(reason, waited);
      return new ClusterException(
          Reason.TOO_MANY_REQUESTS,
          "too many requests of priority level \"%s\" (%s), please try again later"
              .formatted(flows.level().name(), reason));
    }

    /** True if the request never waits. */
    boolean isExempt() {
      return flows.level().exempt();
    }

    /** Takes a seat for a part of the answer, unless that would take too long. */
    void takeForPart() throws IOException {
      width = 1;
      try {
        take();
      } catch (ClusterException none) {
        // The answer has begun, so that it goes on without a seat.
      }
    }

    /** Gives the seats back until the turn is taken again. */
    void giveBack() {
      PendingRequest held = request;
      request = null;
      if (held != null) {
        Seats.this.end(held);
      }
    }

    /** Gives the seats back at the end of the request; only parts of its answer may follow. */
    void end() {
      giveBack();
      if (begun && !ended) {
        ended = true;
        flows.metrics().onEnded();
      }
    }
  }
}
