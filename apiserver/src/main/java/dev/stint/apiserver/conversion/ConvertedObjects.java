package dev.stint.apiserver.conversion;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A bounded cache of objects that webhooks converted, so that all readers of a revision share one
 * conversion. It only saves calls: an object that is not in it is converted again.
 */
public final class ConvertedObjects {
  /** The part of the heap that the text of all objects may have as its length. */
  private static final int HEAP_PER_TEXT = 256;

  private final long mostBytes;
  private final SequencedMap<Key, Conversion> recent = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  /**
   * @param converter the same instance as long as its definition does not change
   */
  private record Key(
      WebhookConverter converter, String uid, String resourceVersion, String apiVersion) {}

  private record Conversion(ObjectNode from, ObjectNode to, int length) {}

  /** Creates a cache for this machine. */
  public ConvertedObjects() {
    this(Runtime.getRuntime().maxMemory() / HEAP_PER_TEXT);
  }

  ConvertedObjects(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Returns an object in a version; null if it is not known. */
  @Nullable ObjectNode find(WebhookConverter converter, ObjectNode from, String apiVersion) {
    Key key = key(converter, from, apiVersion);
    Conversion found;
    synchronized (recent) {
      found = key == null ? null : recent.get(key);
    }
    // A dry run shows other content under the same revision.
    return found != null && found.from.equals(from) ? found.to : null;
  }

  /**
   * Keeps a conversion of a stored object; others have no revision. Neither tree may be changed.
   *
   * @param length of the texts of both: what a webhook answers may be longer
   */
  void keep(WebhookConverter converter, ObjectNode from, ObjectNode to, int length) {
    Key key = key(converter, from, to.path("apiVersion").asString(""));
    if (key == null || length > mostBytes) {
      return;
    }
    synchronized (recent) {
      Conversion before = recent.put(key, new Conversion(from, to, length));
      bytes += length - (before == null ? 0 : before.length);
      while (bytes > mostBytes) {
        bytes -= recent.pollFirstEntry().getValue().length;
      }
    }
  }

  private static @Nullable Key key(WebhookConverter converter, ObjectNode from, String apiVersion) {
    String uid = from.at("/metadata/uid").asString("");
    String revision = from.at("/metadata/resourceVersion").asString("");
    return uid.isEmpty() || revision.isEmpty()
        ? null
        : new Key(converter, uid, revision, apiVersion);
  }
}
