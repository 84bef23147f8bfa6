package dev.stint.apiserver;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.store.Entry;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The objects of recent revisions, so that the answer to a write, all watchers of it and the next
 * write share one parsed document. Bounded: of two revisions that meet in a slot the later wins,
 * and what is no longer here is read from its bytes again.
 */
final class SharedObjects {
  private record Recent(long revision, KubeObject object) {}

  /** The identity of a value that is on its way into the store. */
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

  private final AtomicReferenceArray<@Nullable Recent> recent;
  private final ConcurrentMap<Kind, Sample> samples = new ConcurrentHashMap<>();
  private final ConcurrentMap<Written, Pending> pending = new ConcurrentHashMap<>();

  /**
   * @param capacity how many revisions at most; a power of two
   */
  SharedObjects(int capacity) {
    if (Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException("not a power of two: " + capacity);
    }
    recent = new AtomicReferenceArray<>(capacity);
  }

  /** The text of a new object, which often shares much with the one before it. */
  byte[] bytes(Kind kind, ObjectNode tree) {
    Sample sample = samples.get(kind);
    byte[] text = sample == null ? Json.bytes(tree) : Json.bytes(tree, sample.tree, sample.text);
    samples.put(kind, new Sample(tree, text));
    return text;
  }

  /** Tells of a document before it is written. It is given away: nobody else may change it. */
  void writing(byte[] value, ObjectNode tree) {
    pending.put(new Written(value), new Pending(tree));
  }

  /** Ends what {@link #writing} began, however the write ended. */
  void wrote(byte[] value) {
    pending.remove(new Written(value));
  }

  /** The object of an entry, to be found again by the next who asks. */
  KubeObject of(Entry entry) {
    KubeObject known = known(entry);
    if (known == null) {
      known = KubeObject.of(entry.value(), Long.toString(entry.revision()));
      remember(entry.revision(), known);
    }
    return known;
  }

  /** The object of an entry, for those who read many and would drive out what others share. */
  KubeObject peek(Entry entry) {
    KubeObject known = known(entry);
    return known != null ? known : KubeObject.of(entry.value(), Long.toString(entry.revision()));
  }

  /** The last state of a deleted object, with the revision of its deletion. */
  KubeObject deleted(Entry last, long revision) {
    Recent found = recent.get(slot(revision));
    if (found != null && found.revision == revision) {
      return found.object;
    }
    KubeObject known = known(last);
    KubeObject object =
        known == null
            ? KubeObject.of(last.value(), Long.toString(revision))
            : at(known.tree(), revision);
    remember(revision, object);
    return object;
  }

  private @Nullable KubeObject known(Entry entry) {
    Recent found = recent.get(slot(entry.revision()));
    if (found != null && found.revision == entry.revision()) {
      return found.object;
    }
    Pending written = pending.get(new Written(entry.value()));
    if (written == null) {
      return null;
    }
    KubeObject object = written.object(entry.revision());
    remember(entry.revision(), object);
    return object;
  }

  private void remember(long revision, KubeObject object) {
    recent.set(slot(revision), new Recent(revision, object));
  }

  private int slot(long revision) {
    return (int) (revision & (recent.length() - 1));
  }

  /** An object from a document and the revision that is to stand in it. */
  static KubeObject at(ObjectNode tree, long revision) {
    ObjectNode copy = Json.copyOf(tree);
    ObjectNode metadata = Json.copyOf(Metadata.of(tree));
    metadata.put("resourceVersion", Long.toString(revision));
    copy.set("metadata", metadata);
    return KubeObject.of(copy);
  }

  /** A document that is being written; it gets its revision from whoever first learns of it. */
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
