package dev.stint.store.engine;

import dev.stint.store.Entry;
import dev.stint.store.StorageEngine;
import dev.stint.store.StoreEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An engine in memory that crashes and fails on demand. It keeps its contents when closed, and can
 * be opened again.
 */
public final class SimulatedEngine implements StorageEngine {
  private final Map<String, Entry> synced;
  private final List<List<StoreEvent>> unsynced = new ArrayList<>();
  private long revision;
  private long reserved;
  private long appends;
  private long syncs;
  private @Nullable String fault;

  public SimulatedEngine() {
    this(Map.of(), 0, 0);
  }

  private SimulatedEngine(Map<String, Entry> entries, long revision, long reserved) {
    this.synced = new HashMap<>(entries);
    this.revision = revision;
    this.reserved = reserved;
  }

  @Override
  public synchronized void append(List<StoreEvent> batch) throws IOException {
    check();
    unsynced.add(List.copyOf(batch));
    appends++;
  }

  @Override
  public synchronized void sync() throws IOException {
    check();
    keep(unsynced.size());
    syncs++;
  }

  @Override
  public synchronized void reserve(long revision) throws IOException {
    check();
    keep(unsynced.size());
    reserved = revision;
  }

  @Override
  public synchronized long readBack(Consumer<Entry> consumer) {
    keep(unsynced.size());
    synced.values().forEach(consumer);
    return Math.max(revision, reserved);
  }

  /** Does nothing: the engine can be read back and written to again. */
  @Override
  public void close() {}

  /**
   * Simulates a loss of power: all synced batches survive, and a random prefix of the others.
   *
   * @return the engine after the crash; this one fails from now on
   */
  public synchronized SimulatedEngine crash(RandomGenerator random) {
    keep(random.nextInt(unsynced.size() + 1));
    unsynced.clear();
    fault = "the machine has crashed";
    return new SimulatedEngine(synced, revision, reserved);
  }

  /** Makes every write fail with this message, such as "no space left on device". */
  public synchronized void fail(String message) {
    fault = message;
  }

  /** Counts the appended batches. */
  public synchronized long appends() {
    return appends;
  }

  /** Counts the syncs. */
  public synchronized long syncs() {
    return syncs;
  }

  private void check() throws IOException {
    if (fault != null) {
      throw new IOException(fault);
    }
  }

  private void keep(int batches) {
    List<List<StoreEvent>> kept = unsynced.subList(0, batches);
    kept.forEach(batch -> batch.forEach(this::apply));
    kept.clear();
  }

  private void apply(StoreEvent event) {
    Entry after = event.after();
    if (after == null) {
      synced.remove(event.key());
    } else {
      synced.put(event.key(), after);
    }
    revision = event.revision();
  }
}
