package dev.stint.store;

import static dev.stint.store.StoreOptions.Durability.STRICT;

import dev.stint.store.Batch.Outcome;
import dev.stint.store.Batch.State;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A durable, revisioned, watchable map of keys to bytes.
 *
 * <p>One sequencer writes: it takes all writes that wait, checks what they expect against memory
 * and the writes before them, gives each a revision (without gaps), appends them to the engine as
 * one batch and syncs once; only then do readers, watches and callers hear of them, in this order.
 * Reads never wait: all entries are one immutable tree, replaced with each batch.
 *
 * <p>An empty store has revision 1, so that 0 is never the revision of anything. Values are shared,
 * never copied: nobody may change one that went in or came out. Keys are not empty and don't start
 * with {@code '\0'} (the engine's own).
 */
public final class Store implements AutoCloseable {

  /** Who watches. Called by one thread at a time, on the executor given. */
  public interface Listener {
    /** The next events, in order of revision, at least one. */
    void events(List<StoreEvent> batch);

    /** Some events are gone, as this watch was too slow: list and watch again. The last call. */
    void compacted();
  }

  private static final Logger LOG = LoggerFactory.getLogger(Store.class);
  private static final int MAX_WRITES = 4096;
  private static final long MAX_BYTES = 16L << 20;

  private final StorageEngine engine;
  private final Executor loop;
  private final StoreOptions options;
  private final EventLog log;
  private final Queue<Write<?>> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final ReentrantLock committing = new ReentrantLock();
  private volatile State state;
  private final CompletableFuture<UnavailableException> failure = new CompletableFuture<>();
  private volatile @Nullable StoreException refusal;

  private Store(StorageEngine engine, Executor loop, StoreOptions options, State state) {
    this.engine = engine;
    this.loop = loop;
    this.options = options;
    this.state = state;
    this.log = new EventLog(state.revision(), options);
  }

  /**
   * Reads everything back. The store owns the engine from here on, and closes it.
   *
   * @param loop runs the sequencer, blocking on the disk: one thread, or a queue in simulation.
   *     Futures complete on it, so what follows them must be short or go elsewhere.
   * @throws StoreException the engine could not be read; it is closed
   */
  public static Store open(StorageEngine engine, Executor loop, StoreOptions options)
      throws StoreException {
    List<Entry> entries = new ArrayList<>();
    try {
      long revision = Math.max(1, engine.readBack(entries::add));
      entries.sort(Comparator.comparing(Entry::key));
      return new Store(engine, loop, options, new State(KeyTree.of(entries), revision));
    } catch (IOException | RuntimeException e) {
      closeUnread(engine);
      throw new UnavailableException("the store cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Writes a value.
   *
   * @return the new entry once it is durable; fails with a {@link StoreException}
   */
  public CompletableFuture<Entry> put(String key, byte[] value, Expectation expectation) {
    if (key.isEmpty() || key.charAt(0) == '\0') {
      throw new IllegalArgumentException("a key must not be empty, nor start with \\0");
    }
    return submit(Write.put(key, Objects.requireNonNull(value), expectation));
  }

  /**
   * Deletes a key. Deleting a missing key is refused ({@link PreconditionFailedException} without a
   * current entry), whatever is expected.
   *
   * @return the revision of the deletion once it is durable; fails with a {@link StoreException}
   */
  public CompletableFuture<Long> delete(String key, Expectation expectation) {
    return submit(Write.delete(key, expectation));
  }

  /** The newest durable entry of a key, null if missing. Any thread, never waits. */
  public @Nullable Entry get(String key) {
    return state.entries().get(key);
  }

  /** All entries under a prefix, as of one revision. Any thread, never waits. */
  public Snapshot list(String prefix) {
    State now = state;
    return new Snapshot(Collections.unmodifiableList(now.entries().list(prefix)), now.revision());
  }

  /**
   * All entries under a prefix, as they were at an earlier revision: today's, with what happened
   * since undone. Costs what {@link #list(String)} does, and the events since then.
   *
   * @param revision not newer than {@link #revision()}
   * @throws CompactedException events after that revision are no longer held
   */
  public Snapshot list(String prefix, long revision) throws CompactedException {
    State now = state;
    if (revision > now.revision()) {
      throw new IllegalArgumentException(revision + " is yet to come");
    }
    List<StoreEvent> since = log.between(revision, now.revision());
    while (since == null) {
      Thread.onSpinWait(); // The sequencer is between telling readers and telling watches.
      since = log.between(revision, now.revision());
    }
    TreeMap<String, Entry> entries = new TreeMap<>();
    now.entries().list(prefix).forEach(entry -> entries.put(entry.key(), entry));
    since.reversed().stream()
        .filter(event -> event.key().startsWith(prefix))
        .forEach(event -> undo(entries, event));
    return new Snapshot(List.copyOf(entries.values()), revision);
  }

  private static void undo(Map<String, Entry> entries, StoreEvent event) {
    Entry before = event.before();
    if (before == null) {
      entries.remove(event.key());
    } else {
      entries.put(event.key(), before);
    }
  }

  /** The newest durable revision, at least 1. Any thread, never waits. */
  public long revision() {
    return state.revision();
  }

  /**
   * Watches keys with a prefix: all events after a revision, in order, without gaps, in batches.
   * After {@link #close()} it just ends.
   *
   * @param afterRevision of the list (or event) that the watch goes on from; where it is newer than
   *     {@link #revision()}, events up to it are left out
   * @param executor where the listener is called. It must not run tasks in the calling thread, as
   *     that is the sequencer's.
   * @throws CompactedException events after that revision are no longer held
   */
  public Subscription watch(String prefix, long afterRevision, Executor executor, Listener listener)
      throws CompactedException {
    return log.watch(prefix, afterRevision, executor, listener);
  }

  /** Completes when the engine cannot write any more (disk full, for one), with why. Else never. */
  public CompletableFuture<UnavailableException> failure() {
    return failure.copy();
  }

  /**
   * Refuses writes from here on, those that wait too, ends watches and closes the engine. A batch
   * that is being committed is waited for. What was written stays readable.
   */
  @Override
  public void close() {
    committing.lock();
    try {
      if (!(refusal instanceof ClosedException)) {
        boolean working = refusal == null;
        refusal = new ClosedException();
        log.close();
        closeEngine(working && options.durability() != STRICT);
      }
    } finally {
      committing.unlock();
    }
    refuseWaiting();
  }

  private void closeEngine(boolean sync) {
    try (StorageEngine closing = engine) {
      if (sync) {
        closing.sync();
      }
    } catch (IOException e) {
      LOG.error("the store's engine did not close cleanly: {}", e.getMessage());
    }
  }

  private <T> CompletableFuture<T> submit(Write<T> write) {
    if (refusal instanceof ClosedException closed) {
      write.refused(closed);
      return write.future();
    }
    queue.add(write);
    schedule();
    if (refusal instanceof ClosedException) {
      refuseWaiting();
    }
    return write.future();
  }

  private void schedule() {
    if (!queue.isEmpty() && scheduled.compareAndSet(false, true)) {
      try {
        loop.execute(this::drain);
      } catch (RejectedExecutionException e) {
        scheduled.set(false);
        refuseWaiting();
      }
    }
  }

  private void drain() {
    commit(take());
    scheduled.set(false);
    schedule();
  }

  private List<Write<?>> take() {
    List<Write<?>> writes = new ArrayList<>();
    long bytes = 0;
    while (writes.size() < MAX_WRITES && bytes < MAX_BYTES) {
      Write<?> write = queue.poll();
      if (write == null) {
        break;
      }
      writes.add(write);
      byte[] value = write.value();
      bytes += value == null ? 0 : value.length;
    }
    return writes;
  }

  private void commit(List<Write<?>> writes) {
    try {
      persist(writes).forEach(Outcome::tell);
    } catch (StoreException why) {
      refuseAll(writes, why);
    }
  }

  /** Makes writes durable, and known to all but their callers. */
  private List<Outcome> persist(List<Write<?>> writes) throws StoreException {
    committing.lock();
    try {
      StoreException why = refusal;
      if (why != null) {
        throw why;
      }
      Batch batch = Batch.decide(state, writes);
      if (!batch.events().isEmpty()) {
        append(batch.events());
        state = batch.next();
        log.append(batch.events());
      }
      return batch.outcomes();
    } catch (IOException | RuntimeException | Error e) {
      UnavailableException broken = broken(e);
      refusal = broken;
      failure.complete(broken);
      throw broken;
    } finally {
      committing.unlock();
    }
  }

  private void append(List<StoreEvent> events) throws IOException {
    engine.append(events);
    if (options.durability() == STRICT) {
      engine.sync();
    }
  }

  private static UnavailableException broken(Throwable cause) {
    boolean disk = cause instanceof IOException;
    String message =
        "the store takes no more writes until it is started again, as it could not write to disk: "
            + (disk ? cause.getMessage() : cause);
    LOG.error(message, disk ? null : cause);
    return new UnavailableException(message, cause);
  }

  private void refuseWaiting() {
    for (Write<?> write = queue.poll(); write != null; write = queue.poll()) {
      write.refused(new ClosedException());
    }
  }

  private static void refuseAll(List<Write<?>> writes, StoreException why) {
    writes.forEach(write -> write.refused(why));
  }

  private static void closeUnread(StorageEngine engine) {
    try {
      engine.close();
    } catch (IOException e) {
      LOG.error("an engine that could not be read did not close cleanly: {}", e.getMessage());
    }
  }
}
