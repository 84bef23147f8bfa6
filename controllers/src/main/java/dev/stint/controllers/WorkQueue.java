package dev.stint.controllers;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.Timers;
import dev.stint.engine.policy.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys that wait to be worked on: each once however often it is added, never twice at a time, only
 * so many at once, and again after a growing delay where the work failed.
 *
 * <p>Used on its owner's executor only, and calls back there. Nothing is worked on before {@link
 * #open}.
 */
final class WorkQueue<K> {
  private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);
  private static final Backoff RETRY = new Backoff(Duration.ofMillis(10), Duration.ofSeconds(10));
  private static final int WIDTH = 32;

  /** Brings what a key stands for forward, as far as it goes. */
  interface Worker<K> {
    /** May throw, and may answer on any thread. Where it fails it is called again. */
    CompletableFuture<@Nullable Void> work(K key);
  }

  private final String name;
  private final Executor loop;
  private final InstantSource clock;
  private final Worker<K> worker;
  private final Agenda<K> agenda;
  private final Queue<K> waiting = new ArrayDeque<>();
  private final Set<K> wanted = new HashSet<>();
  private final Set<K> busy = new HashSet<>();
  private final Map<K, Integer> failures = new HashMap<>();
  private boolean open;
  private boolean closed;
  private boolean draining;

  /**
   * @param name whose work it is, for the log
   */
  WorkQueue(String name, Executor loop, InstantSource clock, Timers timers, Worker<K> worker) {
    this.name = name;
    this.loop = loop;
    this.clock = clock;
    this.worker = worker;
    this.agenda = new Agenda<>(loop, clock, timers, this::add);
  }

  /** Lets work begin. */
  void open() {
    open = true;
    drainSoon();
  }

  void close() {
    closed = true;
    agenda.close();
  }

  /** Has a key worked on soon; once more, where it is being worked on now. */
  void add(K key) {
    if (!closed && wanted.add(key) && !busy.contains(key)) {
      waiting.add(key);
      drainSoon();
    }
  }

  /** Has a key worked on then, in place of any other time set for it. */
  void addAt(K key, Instant due) {
    agenda.put(key, due);
  }

  /** Takes back the time set for a key. */
  void cancel(K key) {
    agenda.remove(key);
    failures.remove(key);
  }

  private void drainSoon() {
    if (open && !draining) {
      draining = true;
      loop.execute(this::drain);
    }
  }

  private void drain() {
    draining = false;
    while (!closed && busy.size() < WIDTH && !waiting.isEmpty()) {
      start(waiting.remove());
    }
  }

  private void start(K key) {
    wanted.remove(key);
    agenda.remove(key);
    busy.add(key);
    answer(key).whenCompleteAsync((_, failure) -> finished(key, failure), loop);
  }

  private CompletableFuture<@Nullable Void> answer(K key) {
    try {
      return worker.work(key);
    } catch (RuntimeException fault) {
      return CompletableFuture.failedFuture(fault);
    }
  }

  private void finished(K key, @Nullable Throwable failure) {
    busy.remove(key);
    if (failure == null) {
      failures.remove(key);
    } else if (!closed) {
      failed(key, ClusterException.causeOf(failure));
    }
    if (wanted.contains(key)) {
      waiting.add(key);
    }
    drainSoon();
  }

  private void failed(K key, Throwable cause) {
    int times = failures.merge(key, 1, Integer::sum);
    Duration delay = RETRY.delay(times);
    boolean refused = cause instanceof ClusterException;
    if (times > 1 || cause instanceof ClusterException answer && expected(answer)) {
      LOG.debug("{}: {}: trying again in {}: {}", name, key, delay, cause.getMessage());
    } else if (refused) {
      LOG.warn("{}: {}: trying again until it works: {}", name, key, cause.getMessage());
    } else {
      LOG.error("{}: {}: trying again until it works", name, key, cause);
    }
    agenda.put(key, clock.instant().plus(delay));
  }

  private static boolean expected(ClusterException answer) {
    return answer.reason() == Reason.CONFLICT || answer.passing() || answer.isWithheld();
  }
}
