package dev.stint.apiserver;

import dev.stint.apiserver.encryption.EncryptedValues;
import dev.stint.apiserver.strategy.MetadataDefaults;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.store.Entry;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A bounded cache of parsed objects by revision, so that the answer to a write, all watchers and
 * the next write share one document. Evicted objects are parsed from their bytes again.
 */
final class SharedObjects {
  /** The heap size per slot: with it, all slots together take at most a twentieth of the heap. */
  private static final long HEAP_PER_SLOT = 64 << 10;

  private static final int MOST_SLOTS = 1 << 16;

  /** The part of the heap that all cached objects may take ({@link TreeWeight}). */
  private static final int HEAP_PER_OBJECTS = 5;

  /** Longer objects are parsed again each time: each would evict many others. */
  private static final int LONGEST = 64 << 10;

  /** The identity of a value that is being written to the store. */
  @SuppressWarnings("ArrayRecordComponent") // compared by identity on purpose
  private record Written(byte[] value) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Written written && written.value == value;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(value);
    }
  }

  /** A new object and its text. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Sample(ObjectNode tree, byte[] text) {}

  private final RecentObjects recent;
  private final ConcurrentMap<Kind, Sample> samples = new ConcurrentHashMap<>();
  private final ConcurrentMap<Written, Pending> pending = new ConcurrentHashMap<>();

  /**
   * @param least the initial number of revisions; a power of two
   */
  SharedObjects(int least) {
    this(least, Runtime.getRuntime().maxMemory());
  }

  /**
   * @param heap the size of the heap, in bytes
   */
  SharedObjects(int least, long heap) {
    int most = Integer.highestOneBit(Math.clamp(heap / HEAP_PER_SLOT, 1, MOST_SLOTS));
    recent = new RecentObjects(least, Math.max(least, most), heap / HEAP_PER_OBJECTS);
  }

  /** Returns the weight of all cached objects, in bytes. */
  long weight() {
    return recent.weight();
  }

  /** Clears the caches. */
  void forget() {
    recent.forget();
    samples.clear();
  }

  /**
   * Returns the serialised document of a new object; reuses the text that it shares with the
   * previous one of its kind.
   */
  byte[] bytes(Kind kind, ObjectNode tree) {
    Sample sample = samples.get(kind);
    byte[] text = sample == null ? Json.bytes(tree) : Json.bytes(tree, sample.tree, sample.text);
    samples.put(kind, new Sample(tree, text));
    return text;
  }

  /**
   * Registers a document before it is written. Ownership passes to this class: nobody else may
   * change it.
   */
  void writing(byte[] value, ObjectNode tree) {
    pending.put(new Written(value), new Pending(tree));
  }

  /** Ends what {@link #writing} began, whether the write succeeded or not. */
  void wrote(byte[] value) {
    pending.remove(new Written(value));
  }

  /** Returns the object of an entry, and caches it. */
  KubeObject of(Entry entry) {
    KubeObject known = known(entry);
    if (known == null) {
      byte[] text = EncryptedValues.readable(entry);
      known = KubeObject.of(text, Long.toString(entry.revision()));
      recent.missed(entry.revision());
      keep(entry.revision(), text, known);
    }
    return known;
  }

  /**
   * Returns the object of an entry without caching it: for callers that read many objects, and
   * would evict shared ones.
   */
  KubeObject peek(Entry entry) {
    KubeObject known = known(entry);
    return known != null
        ? known
        : KubeObject.of(EncryptedValues.readable(entry), Long.toString(entry.revision()));
  }

  /** Returns the last state of a deleted object, with the revision of its deletion. */
  KubeObject deleted(Entry last, long revision) {
    KubeObject found = recent.get(revision);
    if (found != null) {
      return found;
    }
    KubeObject known = known(last);
    KubeObject object =
        known == null
            ? KubeObject.of(EncryptedValues.readable(last), Long.toString(revision))
            : at(known.tree(), revision);
    keep(revision, last.value(), object);
    return object;
  }

  private void keep(long revision, byte[] text, KubeObject object) {
    if (text.length <= LONGEST) {
      recent.put(revision, object, TreeWeight.of(text, revision));
    }
  }

  private @Nullable KubeObject known(Entry entry) {
    KubeObject found = recent.get(entry.revision());
    if (found != null) {
      return found;
    }
    byte[] text = entry.value();
    Pending written = pending.get(new Written(text));
    if (written == null) {
      return null;
    }
    KubeObject object = written.object(entry.revision());
    keep(entry.revision(), text, object);
    return object;
  }

  /** Returns a document as an object, with a revision as its {@code resourceVersion}. */
  static KubeObject at(ObjectNode tree, long revision) {
    ObjectNode copy = Json.copyOf(tree);
    ObjectNode metadata = Json.copyOf(MetadataDefaults.of(tree));
    metadata.put("resourceVersion", Long.toString(revision));
    copy.set("metadata", metadata);
    return KubeObject.of(copy);
  }

  /** A document that is being written; the first reader who learns its revision sets it. */
  private static final class Pending {
    private final ObjectNode tree;
    private @Nullable KubeObject object;

    Pending(ObjectNode tree) {
      this.tree = tree;
    }

    synchronized KubeObject object(long revision) {
      if (object == null) {
        object = at(tree, revision);
      }
      return object;
    }
  }
}
