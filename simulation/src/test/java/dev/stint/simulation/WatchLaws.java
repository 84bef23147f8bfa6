package dev.stint.simulation;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.reconcile.ClusterRequests;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The law that a client that lists and watches sees every durable change, in order, without gaps,
 * as it was stored, and no other.
 */
final class WatchLaws {
  /** A change as it was stored. */
  private record Change(long revision, boolean gone, KubeObject object) {}

  private final List<Kind> kinds;
  private final Map<Kind, List<Change>> changes = new HashMap<>();
  private final List<Subscriber> subscribers = new ArrayList<>();
  private long durable = 1;
  private @Nullable AssertionError broken;

  WatchLaws() {
    this(List.of(Kind.JOB, Kind.POD));
  }

  /**
   * @param kinds the kinds that the client follows; custom ones while they are served
   */
  WatchLaws(List<Kind> kinds) {
    this.kinds = List.copyOf(kinds);
  }

  /** Records a durable change. */
  void changed(KubeObject object, long revision, boolean gone) {
    durable = revision;
    for (Kind kind : kinds) {
      if (object.kindName().equals(kind.kind())) {
        changesOf(kind).add(new Change(revision, gone, object));
      }
    }
  }

  private List<Change> changesOf(Kind kind) {
    return changes.computeIfAbsent(kind, _ -> new ArrayList<>());
  }

  /** Checks an object in an answer. */
  void answered(KubeObject object) {
    guarded(() ->
        require(
            Long.parseLong(object.resourceVersion()) <= durable,
            "answered before durable",
            object));
  }

  /** The caller takes a failure for its own, so it has to be thrown elsewhere. */
  private void guarded(Runnable check) {
    try {
      check.run();
    } catch (AssertionError violation) {
      broken = broken == null ? violation : broken;
    }
  }

  /** Throws the violation that was found, if there is one. */
  void hold() {
    if (broken != null) {
      throw broken;
    }
  }

  /**
   * Starts to watch, for as long as the process lives.
   *
   * @param alive true while the answering process is the one from the start
   */
  void listen(Cluster cluster, BooleanSupplier alive) {
    subscribers.clear();
    for (Kind kind : kinds) {
      Subscriber subscriber = new Subscriber(cluster, kind, alive);
      subscribers.add(subscriber);
      subscriber.list();
    }
  }

  /** Lists kinds again that were not served. */
  void lookAgain() {
    subscribers.stream().filter(each -> each.unserved).forEach(Subscriber::list);
  }

  /** Checks that everything has been received, once nothing changes any more. */
  void checkEnd() {
    for (Subscriber subscriber : subscribers) {
      List<Change> all = changesOf(subscriber.kind);
      if (!subscriber.unserved && subscriber.next < all.size()) {
        throw new AssertionError(
            "a watch never heard of " + all.get(subscriber.next) + "; it waits since long ago");
      }
    }
  }

  private final class Subscriber implements WatchHandler {
    private final Cluster cluster;
    private final Kind kind;
    private final BooleanSupplier alive;

    /** The position of the next change to receive. */
    private int next;

    private int listings;

    /** True if the kind was not served, so that there is nothing to follow. */
    private boolean unserved;

    Subscriber(Cluster cluster, Kind kind, BooleanSupplier alive) {
      this.cluster = cluster;
      this.kind = kind;
      this.alive = alive;
    }

    void list() {
      unserved = false;
      if (alive.getAsBoolean() && listings++ < 10_000) {
        cluster.list(kind, null).whenComplete(this::listed);
      }
    }

    private void listed(@Nullable ObjectList list, @Nullable Throwable failure) {
      if (failure != null && ClusterRequests.hasReason(failure, Reason.BAD_REQUEST)) {
        unserved = true;
      } else if (list == null) {
        list();
      } else {
        guarded(() -> compare(list));
        cluster.watch(kind, null, list.resourceVersion(), this);
      }
    }

    private void compare(ObjectList list) {
      long revision = Long.parseLong(list.resourceVersion());
      List<Change> all = changesOf(kind);
      Map<String, KubeObject> there = new HashMap<>();
      int place = 0;
      for (; place < all.size() && all.get(place).revision() <= revision; place++) {
        Change change = all.get(place);
        if (change.gone()) {
          there.remove(change.object().uid());
        } else {
          there.put(change.object().uid(), change.object());
        }
      }
      next = place;
      for (KubeObject object : list.items()) {
        same(there.remove(object.uid()), object);
      }
      if (!there.isEmpty()) {
        throw new AssertionError("a list lacks " + there.values());
      }
    }

    @Override
    public void onEvent(WatchEvent event) {
      guarded(() -> compare(event));
    }

    private void compare(WatchEvent event) {
      KubeObject object = event.object();
      List<Change> all = changesOf(kind);
      require(next < all.size(), "a watch reports a change that is not durable", object);
      Change change = all.get(next++);
      boolean right =
          change.gone() == (event.type() == WatchEvent.Type.DELETED)
              && Long.toString(change.revision()).equals(object.resourceVersion());
      require(
          right,
          right ? "" : "a watch reports, instead of " + change + ", " + event.type() + " of",
          object);
      if (!change.gone()) {
        same(change.object(), object);
      }
    }

    @Override
    public void onClosed(@Nullable ClusterException cause) {
      list();
    }
  }

  private static void same(@Nullable KubeObject stored, KubeObject seen) {
    require(stored != null && equal(stored, seen), "seen other than it is stored", seen);
  }

  /**
   * As documents: in any order, and numbers that were never text may be of another type. The
   * versions of simulated custom kinds differ in nothing but their name.
   */
  private static boolean equal(KubeObject one, KubeObject other) {
    ObjectNode renamed = Json.copyOf(one.tree()).put("apiVersion", other.apiVersion());
    return renamed.equals(WatchLaws::compareLeaves, other.tree());
  }

  /** Returns 0 for equal ones. */
  private static int compareLeaves(JsonNode one, JsonNode other) {
    boolean equal =
        one.equals(other)
            || one.isNumber() && other.isNumber() && one.asString().equals(other.asString());
    return equal ? 0 : 1;
  }

  private static void require(boolean holds, String otherwise, KubeObject object) {
    if (!holds) {
      throw new AssertionError(otherwise + ": " + object);
    }
  }
}
