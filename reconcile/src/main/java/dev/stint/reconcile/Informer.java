package dev.stint.reconcile;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.WatchEvent;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows all objects of a kind for a controller. It stores no objects, only the newest revision of
 * each and the controller that owns it. Its listener thus learns of each object's changes in order,
 * of deletions during gaps of the watch, and of changes of ownership.
 *
 * <p>Everything happens on the event loop.
 */
public final class Informer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Informer.class);

  /** Receives the changes of objects. */
  public interface Listener {
    /**
     * Receives an existing object in its current state. Called for every object of a list, and for
     * changes.
     */
    void onUpdate(KubeObject object);

    /**
     * Reports that an object does not exist any more.
     *
     * @param controller the uid of its controller; empty if it had none
     */
    void onDelete(String uid, String controller);

    /**
     * Reports that an object has another controller than before, or none; {@link #onUpdate}
     * follows.
     *
     * @param former the uid of the former controller
     */
    default void onControllerChange(String uid, String former) {}

    /**
     * Reports that {@link #onUpdate} has been called for all existing objects. Called after every
     * list.
     */
    void onSynced();

    /** Reports that a list has failed; it is repeated. */
    default void onListFailure() {}
  }

  /**
   * The known state of an existing object.
   *
   * @param controller the uid of its controller; empty if it has none
   */
  private record Known(String controller, long revision) {}

  private final Kind kind;
  private final Listener listener;
  private final Reflector reflector;
  private final Map<String, Known> known = new HashMap<>();

  /** The uids that the running list has reported so far; null if no list is running. */
  private @Nullable Set<String> listing = new HashSet<>();

  private long position;

  /** Creates an informer that has made no request yet. */
  public Informer(Cluster cluster, Kind kind, EventLoop loop, Listener listener) {
    this.kind = kind;
    this.listener = listener;
    this.reflector = new Reflector(cluster, kind, null, loop, new Changes());
  }

  /** Starts to list and to watch. Must be called on the event loop. */
  public void start() {
    reflector.start();
  }

  /** Stops; the listener is not called any more. */
  @Override
  public void close() {
    reflector.close();
  }

  /**
   * Records the answer to a write of the owner, which the watch will report later.
   *
   * @return false if the listener has received all revisions up to it already
   */
  public boolean recordIfNew(KubeObject written) {
    boolean heard = listing == null || listing.contains(written.uid());
    long revision = revision(written.resourceVersion());
    if (revision <= position && heard) {
      return false;
    }
    record(written, written.uid(), revision);
    return true;
  }

  /** True if the object exists and no newer state of it is known. */
  public boolean isCurrent(KubeObject object) {
    Known newest = known.get(object.uid());
    return newest != null && newest.revision() == revision(object.resourceVersion());
  }

  private static long revision(String resourceVersion) {
    return Long.parseLong(resourceVersion);
  }

  private void record(KubeObject object, String uid, long revision) {
    String controller = Objects.requireNonNullElse(object.controllerUid(), "");
    known.put(uid, new Known(controller, revision));
  }

  private final class Changes implements Reflector.Listener {
    @Override
    public void onListStart(String revision) {
      position = revision(revision);
      listing = new HashSet<>();
    }

    @Override
    public void onListed(KubeObject object) {
      String uid = object.uid();
      Objects.requireNonNull(listing).add(uid);
      update(object, uid, revision(object.resourceVersion()));
    }

    @Override
    public void onListEnd() {
      Set<String> seen = Objects.requireNonNull(listing);
      listing = null;
      // An object that was written after the list was taken is not in it, but exists.
      List.copyOf(known.keySet()).stream()
          .filter(uid -> !seen.contains(uid) && knownBefore(uid, position))
          .forEach(this::delete);
      listener.onSynced();
    }

    @Override
    public boolean onListFailure(Throwable cause) {
      listener.onListFailure();
      return true;
    }

    @Override
    public void onEvent(WatchEvent event) {
      position = revision(event.object().resourceVersion());
      if (event.type() == WatchEvent.Type.DELETED) {
        delete(event.object().uid());
      } else {
        update(event.object(), event.object().uid(), position);
      }
    }

    /** Updates one object. A failure of the listener must not keep other objects from it. */
    private void update(KubeObject object, String uid, long revision) {
      Known before = known.get(uid);
      if (before == null || before.revision() <= revision) {
        record(object, uid, revision);
      }
      try {
        if (before != null
            && !before.controller().isEmpty()
            && !before.controller().equals(object.controllerUid())) {
          listener.onControllerChange(uid, before.controller());
        }
        listener.onUpdate(object);
      } catch (RuntimeException fault) {
        LOG.error("Cannot handle {} {}; ignoring it until it changes", kind.kind(), object, fault);
      }
    }

    private boolean knownBefore(String uid, long revision) {
      Known object = known.get(uid);
      return object != null && object.revision() <= revision;
    }

    private void delete(String uid) {
      Known object = known.remove(uid);
      listener.onDelete(uid, object == null ? "" : object.controller());
    }
  }
}
