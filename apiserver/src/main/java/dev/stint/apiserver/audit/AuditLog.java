package dev.stint.apiserver.audit;

import dev.stint.model.Json;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The queue of events in front of the {@link AuditSink}. An executor writes them in batches. If the
 * queue is full, a request waits for a limited time; if it is full even then, or if the sink fails,
 * events are lost.
 *
 * <p>The number of events that were lost or left out is written as an event of its own.
 */
final class AuditLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

  /** The shortest time between two notes about events that were left out. */
  private static final Duration BETWEEN_NOTES = Duration.ofMinutes(1);

  private final AuditSink sink;
  private final Options options;
  private final InstantSource clock;
  private final Executor executor;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final Queue<Line> queue = new ArrayDeque<>();
  private long queuedBytes;
  private Missing missing = Missing.NONE;
  private Instant nextNote;
  private boolean scheduled;
  private boolean closed;
  private boolean failing;

  private final Object sinkLock = new Object();

  /** The events since the last flush that would be missing if it failed. */
  private Missing unflushed = Missing.NONE;

  /**
   * The options of a log.
   *
   * @param name in messages
   * @param maxQueuedBytes the size of the queue
   * @param patience the longest time that a request waits for room in the queue
   */
  record Options(String name, AuditFormat format, long maxQueuedBytes, Duration patience) {}

  @SuppressWarnings("ArrayRecordComponent") // on its way out, never compared
  private record Line(byte[] bytes, boolean rationed) {}

  /**
   * The numbers of events that are not in the log.
   *
   * @param lost because the queue was full or the sink failed
   * @param leftOut requests of unknown users that were not recorded
   */
  private record Missing(long lost, long leftOut) {
    static final Missing NONE = new Missing(0, 0);

    Missing and(Missing other) {
      return new Missing(lost + other.lost, leftOut + other.leftOut);
    }
  }

  /**
   * @param executor writes to the disk; may have many threads
   */
  AuditLog(AuditSink sink, Options options, InstantSource clock, Executor executor) {
    this.sink = sink;
    this.options = options;
    this.clock = clock;
    this.executor = executor;
    this.nextNote = clock.instant();
  }

  /**
   * Records an event; does nothing once the log is closed.
   *
   * @param rationed see {@link AuditSink#write}
   */
  void append(ObjectNode event, boolean rationed) {
    Line line = new Line(options.format().line(event), rationed);
    lock.lock();
    try {
      if (closed) {
        return;
      }
      if (!awaitRoom(line)) {
        missing = missing.and(new Missing(1, 0));
        return;
      }
      queue.add(line);
      queuedBytes += line.bytes().length;
      if (scheduled) {
        return;
      }
      scheduled = true;
    } finally {
      lock.unlock();
    }
    executor.execute(this::drain);
  }

  /** Counts a request that is not recorded. */
  void leaveOut() {
    lock.lock();
    try {
      missing = missing.and(new Missing(0, 1));
    } finally {
      lock.unlock();
    }
  }

  private boolean awaitRoom(Line line) {
    long nanos = options.patience().toNanos();
    try {
      while (!hasRoom(line) && !failing && !closed && nanos > 0) {
        nanos = room.awaitNanos(nanos);
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
    return hasRoom(line);
  }

  private boolean hasRoom(Line line) {
    return queue.isEmpty() || queuedBytes + line.bytes().length <= options.maxQueuedBytes();
  }

  /** Writes all recorded events, and accepts no more. */
  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      closed = true;
      nextNote = Instant.MIN;
      room.signalAll();
    } finally {
      lock.unlock();
    }
    drain();
    synchronized (sinkLock) {
      sink.close();
    }
  }

  private void drain() {
    synchronized (sinkLock) {
      try {
        for (Line line = next(); line != null; line = next()) {
          if (!sink.write(line.bytes(), line.rationed())) {
            leaveOut();
          }
        }
        sink.flush();
        onFlushed();
      } catch (IOException | RuntimeException e) {
        onFailure(e);
      }
    }
  }

  /**
   * Returns the next line, a note about missing events first; null if none is left, after which
   * another drain may be scheduled.
   */
  private @Nullable Line next() {
    lock.lock();
    try {
      if (isNoteDue()) {
        nextNote = closed ? Instant.MIN : clock.instant().plus(BETWEEN_NOTES);
        unflushed = unflushed.and(missing);
        ObjectNode note = note(missing);
        missing = Missing.NONE;
        return new Line(options.format().line(note), false);
      }
      Line line = queue.poll();
      scheduled = line != null;
      if (line != null) {
        queuedBytes -= line.bytes().length;
        unflushed = unflushed.and(new Missing(1, 0));
        room.signalAll();
      }
      return line;
    } finally {
      lock.unlock();
    }
  }

  /** True if events are missing, and something else is to be written too. */
  private boolean isNoteDue() {
    return !missing.equals(Missing.NONE)
        && (closed || !queue.isEmpty())
        && (missing.lost() > 0 || !clock.instant().isBefore(nextNote));
  }

  private ObjectNode note(Missing counted) {
    String now = AuditTimes.format(clock.instant());
    ObjectNode event = Json.object().put("kind", "Event").put("apiVersion", "audit.k8s.io/v1");
    event.put("level", AuditLevel.METADATA.word());
    event.put("auditID", UUID.randomUUID().toString());
    event.put("stage", AuditStage.RESPONSE_COMPLETE.word());
    event.put("requestURI", "").put("verb", "");
    event.putObject("user");
    event.put("requestReceivedTimestamp", now).put("stageTimestamp", now);
    ObjectNode annotations = event.putObject("annotations");
    if (counted.lost() > 0) {
      annotations.put("audit.stint.dev/events-lost", Long.toString(counted.lost()));
    }
    if (counted.leftOut() > 0) {
      annotations.put("audit.stint.dev/requests-left-out", Long.toString(counted.leftOut()));
    }
    return event;
  }

  private void onFlushed() {
    lock.lock();
    try {
      unflushed = Missing.NONE;
      if (failing) {
        LOG.warn(
            "Writing the audit log {} again; its next entry counts the lost events",
            options.name());
      }
      failing = false;
    } finally {
      lock.unlock();
    }
  }

  /** Logs the first of a series of failures: more lines would not help a full disk. */
  private void onFailure(Exception e) {
    lock.lock();
    try {
      if (!failing) {
        LOG.error(
            "Cannot write the audit log {}; the API goes on, and events are missing until it can be written again",
            options.name(),
            e);
      }
      failing = true;
      missing = missing.and(unflushed).and(new Missing(queue.size(), 0));
      unflushed = Missing.NONE;
      queue.clear();
      queuedBytes = 0;
      scheduled = false;
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
