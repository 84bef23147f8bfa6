package dev.stint.store;

import static dev.stint.store.StoreOptions.Durability.STRICT;

import dev.stint.store.Batch.State;
import dev.stint.store.pack.ValuePacker;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
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
 * <p>One sequencer writes: it takes all waiting writes, checks their preconditions against memory
 * and the writes before them, gives each a revision (without gaps) and appends them to the engine
 * as one batch. One sync makes all batches appended meanwhile durable. Only then do readers,
 * watches and callers see them, in this order. The view {@link #ahead()} shows them before. Reads
 * never wait: all entries are one immutable tree, replaced with each batch.
 *
 * <p>An empty store has revision 1, so that 0 is never the revision of anything.
 */
public final class Store implements StoreView, AutoCloseable {

  /** Receives the events of a watch. Called by one thread at a time, on the watch's executor. */
  public interface Listener {
    /** Receives the next events, in order of revision, at least one. */
    void events(List<StoreEvent> batch);

    /**
     * Reports that some events were dropped, as this watch was too slow: list and watch again. The
     * last call.
     */
    void compacted();
  }

  private static final Logger LOG = LoggerFactory.getLogger(Store.class);
  private static final int MAX_WRITES = 4096;
  private static final long MAX_BYTES = 16L << 20;

  /**
   * The revisions that are reserved at once if writes may be lost: so often a sync is waited for,
   * and so many revisions are skipped at most after a process that did not end by itself.
   */
  private static final long RESERVED_AT_ONCE = 1L << 20;

  /** The maximum number of appended batches that are not durable yet. */
  private static final int MAX_UNSETTLED = 16;

  private final StorageEngine engine;
  private final Executor loop;
  private final Executor disk;
  private final StoreOptions options;
  private final WatchCache log;
  private final View ahead;
  private final View durable;
  private final Queue<Write<?>> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final ReentrantLock committing = new ReentrantLock();

  /** The highest revision that a lost write may have; used under the lock. */
  private long reserved;

  /**
   * Events that the log has dropped, and whose entries are to be packed if they are still current.
   */
  private final Queue<StoreEvent> cold = new ArrayDeque<>();

  private final ValuePacker packer;

  /** Batches that are appended, but not durable yet. */
  private final Queue<Batch> unsettled = new ConcurrentLinkedQueue<>();

  private final ReentrantLock settling = new ReentrantLock();
  private final CompletableFuture<UnavailableException> failure = new CompletableFuture<>();
  private volatile @Nullable StoreException refusal;

  private Store(
      StorageEngine engine,
      Executor loop,
      Executor disk,
      StoreOptions options,
      ValuePacker packer,
      State state) {
    this.engine = engine;
    this.loop = loop;
    this.disk = disk;
    this.options = options;
    this.packer = packer;
    this.ahead = new View(true, state);
    this.durable = new View(false, state);
    this.log = new WatchCache(state.revision(), options);
  }

  /**
   * Opens a store that does all of its work on one executor: {@link #open(StorageEngine, Executor,
   * Executor, StoreOptions)}.
   */
  public static Store open(StorageEngine engine, Executor loop, StoreOptions options)
      throws StoreException {
    return open(engine, loop, loop, options);
  }

  /**
   * Opens a store and reads all entries back. The store owns the engine from now on, and closes it.
   *
   * @param loop runs the sequencer: one thread, or a queue in simulation
   * @param disk waits for the disk, likewise. Futures complete on either, so dependent stages must
   *     be short or run elsewhere.
   * @throws StoreException the engine could not be read; it is closed
   */
  public static Store open(StorageEngine engine, Executor loop, Executor disk, StoreOptions options)
      throws StoreException {
    List<Entry> entries = new ArrayList<>();
    ValuePacker packer = new ValuePacker();
    try {
      long revision =
          Math.max(
              1,
              engine.readBack(entry -> {
                entry.pack(packer);
                entries.add(entry);
              }));
      entries.sort((one, other) -> one.key().compareTo(other.key()));
      State state = new State(KeyTree.of(entries), revision);
      return new Store(engine, loop, disk, options, packer, state);
    } catch (IOException | RuntimeException e) {
      closeUnread(engine);
      throw new UnavailableException("cannot read the store: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the view ahead of the disk: it answers writes, notifies watches and shows entries as
   * soon as they have their place in the log, durable or not.
   *
   * <p>It is only for components whose sole effects are writes to this same store. A write never
   * outlasts an earlier one, so nothing that survives a loss of power depends on a lost write.
   * Components that answer a client, start a process or print a line wait for the disk.
   */
  public StoreView ahead() {
    return ahead;
  }

  @Override
  public CompletableFuture<Entry> put(
      String key, byte[] value, Precondition precondition, AccompanyingWrites along) {
    return durable.put(key, value, precondition, along);
  }

  @Override
  public CompletableFuture<Long> delete(
      String key, byte @Nullable [] last, Precondition precondition, AccompanyingWrites along) {
    return durable.delete(key, last, precondition, along);
  }

  @Override
  public @Nullable Entry get(String key) {
    return durable.get(key);
  }

  @Override
  public Entries entries() {
    return durable.entries();
  }

  @Override
  public Snapshot list(String prefix) {
    return durable.list(prefix);
  }

  @Override
  public Snapshot list(String prefix, long revision) throws CompactedException {
    return durable.list(prefix, revision);
  }

  @Override
  public long revision() {
    return durable.revision();
  }

  @Override
  public Subscription watch(String prefix, long afterRevision, Executor executor, Listener listener)
      throws CompactedException {
    return durable.watch(prefix, afterRevision, executor, listener);
  }

  @Override
  public Runnable onForgotten(long revision, Executor executor, Runnable task) {
    return durable.onForgotten(revision, executor, task);
  }

  @Override
  public long logBytes() {
    return log.maxBytes();
  }

  private static KeyTree undone(KeyTree entries, StoreEvent event) {
    Entry before = event.before();
    return before == null ? entries.without(event.key()) : entries.with(before);
  }

  /**
   * Completes with the cause when the engine cannot write any more (disk full, for one); else
   * never. It is complete before any write is refused for that cause.
   */
  public CompletableFuture<UnavailableException> failure() {
    return failure.copy();
  }

  /**
   * Refuses writes from now on, including waiting ones; ends watches and closes the engine. All
   * appended batches are made durable first. Entries stay readable.
   */
  @Override
  public void close() {
    committing.lock();
    settling.lock();
    try {
      if (!(refusal instanceof ClosedException)) {
        boolean working = refusal == null;
        settle();
        refusal = new ClosedException();
        log.close();
        cold.clear();
        closeEngine(working && options.durability() != STRICT);
      }
    } finally {
      settling.unlock();
      committing.unlock();
    }
    refuseWaiting();
  }

  private void closeEngine(boolean sync) {
    try (StorageEngine closing = engine) {
      if (sync) {
        closing.sync();
        closing.reserve(ahead.revision());
      }
    } catch (IOException e) {
      LOG.error(
          "The storage engine did not close cleanly; acknowledged writes are on disk: {}",
          e.getMessage());
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
    if (!queue.isEmpty()
        && unsettled.size() < MAX_UNSETTLED
        && scheduled.compareAndSet(false, true)) {
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
    packCold();
    scheduled.set(false);
    schedule();
  }

  /**
   * Packs entries whose events have left the log: they are rarely read, least of all by watches.
   */
  private void packCold() {
    committing.lock();
    try {
      for (StoreEvent event = cold.poll(); event != null; event = cold.poll()) {
        Entry entry = event.after();
        if (entry != null && ahead.state.entries().get(entry.key()) == entry) {
          entry.pack(packer);
        }
      }
    } finally {
      committing.unlock();
    }
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
      Batch batch = sequence(writes);
      settleSoon();
      batch.answer(true);
    } catch (StoreException why) {
      refuseAll(writes, why);
    }
  }

  /** Orders writes in the log, ahead of the disk. */
  private Batch sequence(List<Write<?>> writes) throws StoreException {
    committing.lock();
    try {
      StoreException why = refusal;
      if (why != null) {
        throw why;
      }
      Batch batch = Batch.decide(ahead.state, writes);
      if (!batch.events().isEmpty()) {
        reserve(batch.next().revision());
        engine.append(batch.events());
        ahead.state = batch.next();
        cold.addAll(log.append(batch.events()));
      }
      unsettled.add(batch);
      return batch;
    } catch (IOException | RuntimeException | Error e) {
      throw broken(e);
    } finally {
      committing.unlock();
    }
  }

  /**
   * Sees to it that no revision is used twice: unless each write waits for the disk, a loss of
   * power may take some that others have seen already.
   */
  private void reserve(long revision) throws IOException {
    if (options.durability() != STRICT && revision > reserved) {
      reserved = revision + RESERVED_AT_ONCE;
      engine.reserve(reserved);
    }
  }

  private void settleSoon() {
    if (options.durability() != STRICT) {
      settle();
      return;
    }
    try {
      disk.execute(() -> {
        settle();
        schedule();
      });
    } catch (RejectedExecutionException ended) {
      settle();
    }
  }

  /** Makes all appended batches durable, and notifies readers, watches and callers. */
  private void settle() {
    List<Batch> batches = new ArrayList<>();
    settling.lock();
    try {
      for (Batch batch = unsettled.poll(); batch != null; batch = unsettled.poll()) {
        batches.add(batch);
      }
      List<StoreEvent> events = new ArrayList<>();
      batches.forEach(batch -> events.addAll(batch.events()));
      sync(events);
      if (!events.isEmpty()) {
        durable.state = batches.getLast().next();
        log.settle(events);
      }
    } catch (StoreException why) {
      batches.forEach(batch -> batch.refuse(why));
      return;
    } finally {
      settling.unlock();
    }
    batches.forEach(batch -> batch.answer(false));
  }

  private void sync(List<StoreEvent> events) throws StoreException {
    StoreException why = refusal;
    if (why != null) {
      throw why;
    }
    if (events.isEmpty() || options.durability() != STRICT) {
      return;
    }
    try {
      engine.sync();
    } catch (IOException | RuntimeException | Error e) {
      throw broken(e);
    }
  }

  /** Records that the disk fails, for good: it is unknown which appended writes are stored. */
  private UnavailableException broken(Throwable cause) {
    UnavailableException why = unavailable(cause);
    failure.complete(why);
    refusal = why;
    return why;
  }

  private static UnavailableException unavailable(Throwable cause) {
    boolean io = cause instanceof IOException;
    String message =
        "the store refuses writes until it is restarted, since it could not write to disk: "
            + (io ? cause.getMessage() : cause);
    LOG.error(message, io ? null : cause);
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
      LOG.error(
          "The storage engine could not be read, and did not close cleanly: {}", e.getMessage());
    }
  }

  /** All entries at an earlier revision. */
  private record Past(long revision, KeyTree entries) {}

  /** One of the two views: ahead of the disk, or durable. */
  private final class View implements StoreView {
    private final boolean first;
    private volatile State state;

    /**
     * The entries of the last earlier revision that was listed, for the next page; recomputed if
     * collected.
     */
    private volatile WeakReference<@Nullable Past> past = new WeakReference<>(null);

    View(boolean first, State state) {
      this.first = first;
      this.state = state;
    }

    @Override
    public CompletableFuture<Entry> put(
        String key, byte[] value, Precondition precondition, AccompanyingWrites along) {
      if (key.isEmpty() || key.charAt(0) == '\0') {
        throw new IllegalArgumentException("a key must not be empty and must not start with \\0");
      }
      return submit(Write.put(first, key, Objects.requireNonNull(value), precondition, along));
    }

    @Override
    public CompletableFuture<Long> delete(
        String key, byte @Nullable [] last, Precondition precondition, AccompanyingWrites along) {
      return submit(Write.delete(first, key, last, precondition, along));
    }

    @Override
    public @Nullable Entry get(String key) {
      return state.entries().get(key);
    }

    @Override
    public Entries entries() {
      return state.entries();
    }

    @Override
    public Snapshot list(String prefix) {
      State now = state;
      return new Snapshot(now.entries().list(prefix), now.revision());
    }

    @Override
    public Snapshot list(String prefix, long revision) throws CompactedException {
      State now = state;
      if (revision > now.revision()) {
        throw new IllegalArgumentException(revision + " is in the future");
      }
      Past known = past.get();
      if (known == null || known.revision != revision) {
        known = new Past(revision, asOf(revision, now));
        past = new WeakReference<>(known);
      }
      return new Snapshot(known.entries.list(prefix), revision);
    }

    private KeyTree asOf(long revision, State now) throws CompactedException {
      List<StoreEvent> since = log.between(revision, now.revision());
      while (since == null) {
        Thread.onSpinWait(); // The sequencer is between notifying readers and watches.
        since = log.between(revision, now.revision());
      }
      KeyTree then = now.entries();
      for (StoreEvent event : since.reversed()) {
        then = undone(then, event);
      }
      return then;
    }

    @Override
    public long revision() {
      return state.revision();
    }

    @Override
    public Subscription watch(
        String prefix, long afterRevision, Executor executor, Listener listener)
        throws CompactedException {
      return log.watch(first, prefix, afterRevision, executor, listener);
    }

    @Override
    public Runnable onForgotten(long revision, Executor executor, Runnable task) {
      return log.onForgotten(revision, executor, task);
    }

    @Override
    public long logBytes() {
      return log.maxBytes();
    }
  }
}
