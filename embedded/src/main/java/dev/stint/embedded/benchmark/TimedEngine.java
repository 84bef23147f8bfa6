package dev.stint.embedded.benchmark;

import dev.stint.store.Entry;
import dev.stint.store.StorageEngine;
import dev.stint.store.StoreEvent;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** A storage engine that reports every new key before it delegates the write to another engine. */
final class TimedEngine implements StorageEngine {
  private final StorageEngine engine;
  private final Consumer<String> created;

  TimedEngine(StorageEngine engine, Consumer<String> created) {
    this.engine = engine;
    this.created = created;
  }

  @Override
  public void append(List<StoreEvent> batch) throws IOException {
    for (StoreEvent event : batch) {
      if (event.before() == null) {
        created.accept(event.key());
      }
    }
    engine.append(batch);
  }

  @Override
  public void sync() throws IOException {
    engine.sync();
  }

  @Override
  public void reserve(long revision) throws IOException {
    engine.reserve(revision);
  }

  @Override
  public long readBack(Consumer<Entry> consumer) throws IOException {
    return engine.readBack(consumer);
  }

  @Override
  public void close() throws IOException {
    engine.close();
  }
}
