package dev.stint.bench.history;

import dev.stint.bench.history.Changes.Change;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The laws of watches, as the robustness tests of etcd state them.
 *
 * <ul>
 *   <li>Ordered and unique: revisions rise from event to event, beyond the one asked for.
 *   <li>Reliable: what changed between the first and the last revision of a watch is delivered.
 *   <li>Bookmarks are true: everything up to a bookmark was delivered before it.
 *   <li>The type of an event is what the change means to a client that has all earlier events.
 * </ul>
 */
final class WatchGuarantees {
  private final Changes changes;
  private final EventStream stream;
  private final Map<String, Version> known = new HashMap<>();
  private final List<String> violations = new ArrayList<>();

  private WatchGuarantees(Changes changes, EventStream stream) {
    this.changes = changes;
    this.stream = stream;
    stream.known().forEach(version -> known.put(version.key(), version));
  }

  static List<String> check(EventStream stream, Changes changes) {
    WatchGuarantees laws = new WatchGuarantees(changes, stream);
    laws.checkOrder();
    laws.checkContents();
    return laws.violations;
  }

  private void violated(String law, Object subject) {
    violations.add(
        "%s: %s in watch %d%s from revision %d"
            .formatted(
                law,
                subject,
                stream.client(),
                stream.side().isEmpty() ? "" : " of side " + stream.side(),
                stream.from()));
  }

  private void checkOrder() {
    long last = stream.from();
    for (Delivery delivery : stream.deliveries()) {
      boolean isBookmark = delivery.type() == Delivery.Type.BOOKMARK;
      if (isBookmark ? delivery.revision() < last : delivery.revision() <= last) {
        violated(
            isBookmark ? "a bookmark goes back behind " + last : "an event is not after " + last,
            delivery);
      }
      last = Math.max(last, delivery.revision());
    }
  }

  /** Compares what was delivered with what changed, in the order of revisions. */
  private void checkContents() {
    NavigableMap<Long, Delivery> delivered = new TreeMap<>();
    for (Delivery delivery : stream.deliveries()) {
      if (delivery.type() != Delivery.Type.BOOKMARK) {
        delivered.putIfAbsent(delivery.revision(), delivery);
      }
    }
    for (Change change : changes.between(stream.from(), stream.covered())) {
      NavigableMap<Long, Delivery> unseen = delivered.headMap(change.revision(), false);
      unseen.values().forEach(this::compareUnseen);
      unseen.clear();
      compare(change, delivered.remove(change.revision()));
    }
    delivered.values().forEach(this::compareUnseen);
  }

  private void compare(Change change, @Nullable Delivery delivery) {
    Version before = known.get(change.key());
    Delivery.Type expected = type(change, before);
    if (delivery == null) {
      if (expected != null) {
        violated("a change was not delivered", change);
      }
    } else if (delivery.type() != expected) {
      violated("an event should be %s after %s".formatted(expected, before), delivery);
    }
    if (expected == Delivery.Type.DELETED) {
      known.remove(change.key());
    } else if (expected != null && change.version() != null) {
      known.put(change.key(), change.version());
    }
  }

  /** Returns the type of the event that a change causes; null if it causes none. */
  private Delivery.@Nullable Type type(Change change, @Nullable Version before) {
    Version after = change.version();
    if (after == null || !stream.selects(after.content())) {
      return before == null ? null : Delivery.Type.DELETED;
    }
    if (before != null && !before.uid().equals(after.uid())) {
      violated("the deletion of %s was not delivered before".formatted(before), change);
      return Delivery.Type.ADDED;
    }
    return before == null ? Delivery.Type.ADDED : Delivery.Type.MODIFIED;
  }

  /** A selective watch may report a deletion that nobody else saw, of an object that it knows. */
  private void compareUnseen(Delivery delivery) {
    Version version = delivery.version();
    boolean possible =
        delivery.type() == Delivery.Type.DELETED
            && version != null
            && known.remove(version.key()) != null
            && !stream.side().isEmpty();
    if (!possible) {
      violated("an event reports what did not change", delivery);
    }
  }
}
