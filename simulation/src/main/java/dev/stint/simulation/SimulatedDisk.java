package dev.stint.simulation;

import dev.stint.store.Entry;
import dev.stint.store.StorageEngine;
import dev.stint.store.StoreEvent;
import dev.stint.store.engine.SimulatedEngine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * A disk that outlives the processes that write to it, and reports every change once it is
 * permanent: no observer sees a change that a crash undoes, or misses one that survives.
 */
final class SimulatedDisk implements StorageEngine {
  private final Consumer<StoreEvent> durable;
  private SimulatedEngine engine = new SimulatedEngine();
  private Predicate<List<StoreEvent>> cutsOff = batch -> false;
  private final List<StoreEvent> pending = new ArrayList<>();
  private long told;

  SimulatedDisk(Consumer<StoreEvent> durable) {
    this.durable = durable;
  }

  /**
   * @param batch true for an appended batch if the writer dies before it is synced
   */
  void cutOff(Predicate<List<StoreEvent>> batch) {
    cutsOff = batch;
  }

  @Override
  public void append(List<StoreEvent> batch) throws IOException {
    engine.append(batch);
    pending.addAll(batch);
    if (cutsOff.test(batch)) {
      throw new IOException("the process has died");
    }
  }

  @Override
  public void sync() throws IOException {
    engine.sync();
    List<StoreEvent> synced = List.copyOf(pending);
    pending.clear();
    synced.forEach(this::tell);
  }

  @Override
  public void reserve(long revision) throws IOException {
    engine.reserve(revision);
  }

  @Override
  public long readBack(Consumer<Entry> consumer) {
    return engine.readBack(consumer);
  }

  @Override
  public void close() {}

  /** Makes every write fail until the next {@link #crash}. */
  void fill() {
    engine.fail("no space left on device");
  }

  /** Simulates the death of the writer: any number of the batches that were not synced survive. */
  void crash(RandomGenerator random) {
    engine = engine.crash(random);
    long revision = engine.readBack(entry -> {});
    if (revision < told) {
      throw new AssertionError("revision " + told + " was synced, but " + revision + " is left");
    }
    List<StoreEvent> left = pending.stream().filter(e -> e.revision() <= revision).toList();
    pending.clear();
    left.forEach(this::tell);
  }

  private void tell(StoreEvent event) {
    told = event.revision();
    durable.accept(event);
  }
}
