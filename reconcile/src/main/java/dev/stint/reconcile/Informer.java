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
 * Follows all objects of a kind for a controller. It keeps no objects: of each it knows the newest
 * revision and the controller that owns it, so that its owner hears of each object in the order of
 * its changes, of deletions that happened while nobody watched, and of changes of ownership.
 *
 * <p>Everything happens on the event loop.
 */
public final class Informer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Informer.class);

  /** What the owner does with what it hears. */
  public interface Listener {
    /** The object exists, in this state. Called for every object of a list, and for changes. */
    void onUpdate(KubeObject object);

    /**
     * An object does not exist any more.
     *
     * @param controller the uid of its controller; empty where it had none
     */
    void onDelete(String uid, String controller);

    /**
     * An object has another controller than before, or none; {@link #onUpdate} follows.
     *
     * @param former the uid of the controller that it had
     */
    default void onControllerChange(String uid, String former) {}

    /** {@link #onUpdate} has been called for all that exists. Called after every list. */
    void onSynced();
  }

  /**
   * What is known of an object that exists.
   *
   * @param controller the uid of its controller; empty where it has none
   */
  private record Known(String controller, long revision) {}

  private final Kind kind;
  private final Listener listener;
  private final Reflector reflector;
  private final Map<String, Known> known = new HashMap<>();

  /** The uids of what has been listed so far; null while no list is under way. */
  private @Nullable Set<String> listing = new HashSet<>();

  private long position;
  private boolean closed;

  /** An informer that has not asked for anything yet. */
  public Informer(Cluster cluster, Kind kind, EventLoop loop, Listener listener) {
    this.kind = kind;
    this.listener = listener;
    this.reflector = new Reflector(cluster, kind, null, loop, new Changes());
  }

  /** Begins to list and to watch. To be called on the event loop. */
  public void start() {
    reflector.start();
  }

  /** Stops; the owner hears nothing any more. */
  @Override
  public void close() {
    closed = true;
    reflector.close();
  }

  /**
   * Records the answer to a write of the owner, which the watch will report later.
   *
   * @return false if that is old news: the owner has heard of all revisions up to it already
   */
  public boolean isNews(KubeObject written) {
    boolean heard = listing == null || listing.contains(written.uid());
    if (revision(written.resourceVersion()) <= position && heard) {
      return false;
    }
    record(written, written.uid());
    return true;
  }

  /** True if the object exists and no newer state of it is known. */
  public boolean isCurrent(KubeObject object) {
    Known newest = known.get(object.uid());
    return newest != null && newest.revision() == revision(object.resourceVersion());
  }

  /**
   * True if one state of an object is later than another: what the owner has written itself may run
   * ahead of the watch.
   */
  public static boolean isNewer(String resourceVersion, String than) {
    return revision(resourceVersion) > revision(than);
  }

  private static long revision(String resourceVersion) {
    return Long.parseLong(resourceVersion);
  }

  private void record(KubeObject object, String uid) {
    String controller = Objects.requireNonNullElse(object.controllerUid(), "");
    known.put(uid, new Known(controller, revision(object.resourceVersion())));
  }

  private final class Changes implements Reflector.Listener {
    @Override
    public void onListStart(String revision) {
      position = revision(revision);
      listing = new HashSet<>();
    }

    @Override
    public void onListed(KubeObject object) {
      if (!closed) {
        String uid = object.uid();
        Objects.requireNonNull(listing).add(uid);
        update(object, uid);
      }
    }

    @Override
    public void onListEnd() {
      Set<String> seen = Objects.requireNonNull(listing);
      listing = null;
      // What the owner wrote after the list was taken is not in it, and yet there.
      List.copyOf(known.keySet()).stream()
          .filter(uid -> !seen.contains(uid) && knownBefore(uid, position))
          .forEach(this::delete);
      listener.onSynced();
    }

    @Override
    public void onEvent(WatchEvent event) {
      if (closed) {
        return;
      }
      position = revision(event.object().resourceVersion());
      if (event.type() == WatchEvent.Type.DELETED) {
        delete(event.object().uid());
      } else {
        update(event.object(), event.object().uid());
      }
    }

    /** An object that the owner can't handle must not keep it from hearing of the others. */
    private void update(KubeObject object, String uid) {
      Known before = known.get(uid);
      if (before == null || before.revision() <= revision(object.resourceVersion())) {
        record(object, uid);
      }
      try {
        if (before != null
            && !before.controller().isEmpty()
            && !before.controller().equals(object.controllerUid())) {
          listener.onControllerChange(uid, before.controller());
        }
        listener.onUpdate(object);
      } catch (RuntimeException fault) {
        LOG.error(
            "{} {} cannot be handled; it is left as it is until it changes",
            kind.kind(),
            object,
            fault);
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
