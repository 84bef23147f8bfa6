package dev.stint.apiserver.encryption;

import dev.stint.store.Entry;
import dev.stint.store.StorageEngine;
import dev.stint.store.StoreEvent;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts values on their way to disk. A value that cannot be decrypted stays as it is, in memory
 * and on disk, and is refused to readers ({@link EncryptedValues}).
 */
public final class EncryptedEngine implements StorageEngine {
  private static final int MOST_AT_ONCE = 256;

  private final StorageEngine engine;
  private final EncryptionConfiguration configuration;
  private final List<String> unreadable = new ArrayList<>();
  private final List<String> stale = new ArrayList<>();

  public EncryptedEngine(StorageEngine engine, EncryptionConfiguration configuration) {
    this.engine = engine;
    this.configuration = configuration;
  }

  /** Returns why each object that could not be decrypted cannot be read, and what to do. */
  public synchronized List<String> unreadable() {
    return List.copyOf(unreadable);
  }

  /**
   * Returns the keys that were read back, and which another than the first provider had written.
   */
  public synchronized List<String> stale() {
    return List.copyOf(stale);
  }

  @Override
  public void append(List<StoreEvent> batch) throws IOException {
    if (configuration.isEmpty()) {
      engine.append(batch);
      return;
    }
    List<StoreEvent> encrypted = new ArrayList<>(batch.size());
    for (StoreEvent event : batch) {
      Entry after = event.after();
      encrypted.add(
          after == null ? event : new StoreEvent(event.revision(), event.before(), stored(after)));
    }
    engine.append(encrypted);
  }

  private Entry stored(Entry entry) throws IOException {
    EncryptionProvider first = configuration.providers(entry.key()).getFirst();
    if (first.cipher() == null) {
      return entry;
    }
    try {
      return with(entry, first.encrypt(entry.key(), entry.value()));
    } catch (GeneralSecurityException fault) {
      throw new IOException("cannot encrypt " + entry.key() + ": " + fault.getMessage(), fault);
    }
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
  public synchronized long readBack(Consumer<Entry> consumer) throws IOException {
    unreadable.clear();
    stale.clear();
    return engine.readBack(entry -> consumer.accept(read(entry)));
  }

  /**
   * Writes all values again that another than the first provider had written, at new revisions.
   *
   * @return their number
   */
  public int reencrypt() throws IOException {
    Map<String, Entry> entries = new LinkedHashMap<>();
    long revision = readBack(entry -> entries.put(entry.key(), entry));
    entries.keySet().retainAll(Set.copyOf(stale()));
    List<StoreEvent> batch = new ArrayList<>();
    for (Entry entry : entries.values()) {
      revision++;
      Entry again = new Entry(entry.key(), entry.value(), entry.createRevision(), revision);
      batch.add(new StoreEvent(revision, entry, again));
      if (batch.size() == MOST_AT_ONCE) {
        append(batch);
        batch.clear();
      }
    }
    if (!batch.isEmpty()) {
      append(batch);
    }
    sync();
    return entries.size();
  }

  /** Returns an entry as it is read: decrypted, if that is possible. */
  private Entry read(Entry entry) {
    byte[] value = entry.value();
    if (configuration.isEmpty() && !EncryptionProvider.isEncrypted(value)) {
      return entry;
    }
    List<EncryptionProvider> providers = configuration.providers(entry.key());
    for (EncryptionProvider provider : providers) {
      byte[] plain = provider.wrote(value) ? decrypted(entry, provider) : null;
      if (plain != null) {
        if (provider != providers.getFirst()) {
          stale.add(entry.key());
        }
        return plain == value ? entry : with(entry, plain);
      }
    }
    if (EncryptionProvider.isEncrypted(value)) {
      unreadable.add(EncryptedValues.advice(entry.key(), value));
    } else {
      stale.add(entry.key());
    }
    return entry;
  }

  /** Returns a value; null if it has another key, which may have the same name. */
  private static byte @Nullable [] decrypted(Entry entry, EncryptionProvider provider) {
    try {
      return provider.decrypt(entry.key(), entry.value());
    } catch (GeneralSecurityException anotherKey) {
      return null;
    }
  }

  private static Entry with(Entry entry, byte[] value) {
    return new Entry(entry.key(), value, entry.createRevision(), entry.revision());
  }

  @Override
  public void close() throws IOException {
    engine.close();
  }
}
