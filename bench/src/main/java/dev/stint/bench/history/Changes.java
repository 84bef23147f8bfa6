package dev.stint.bench.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The changes of all objects that somebody saw, by revision. Answers, lists and events must agree
 * on them: one revision is one change.
 */
final class Changes {

  /**
   * A change of one object.
   *
   * @param version null if the object was deleted
   */
  record Change(long revision, String key, @Nullable Version version) {}

  private final NavigableMap<Long, Change> all = new TreeMap<>();
  private final Map<String, NavigableMap<Long, Change>> byKey = new HashMap<>();
  private final List<String> contradictions = new ArrayList<>();

  static Changes of(RecordedHistory history) {
    Changes changes = new Changes();
    for (Operation operation : history.operations()) {
      if (operation.outcome() instanceof Outcome.Shown(Version version)) {
        changes.add(version, operation);
      }
    }
    for (Listing listing : history.listings()) {
      listing.items().forEach(item -> changes.add(item, "a list at " + listing.revision()));
    }
    history.streams().forEach(changes::add);
    return changes;
  }

  private void add(EventStream stream) {
    for (Delivery delivery : stream.deliveries()) {
      Version version = delivery.version();
      if (version == null) {
        continue;
      }
      if (delivery.type() != Delivery.Type.DELETED) {
        add(version, "an event of watch " + stream.client());
      } else if (stream.side().isEmpty()) {
        add(
            new Change(delivery.revision(), version.key(), null),
            "an event of watch " + stream.client());
      }
    }
  }

  private void add(Version version, Object source) {
    add(new Change(version.revision(), version.key(), version), source);
  }

  private void add(Change change, Object source) {
    Change other = all.putIfAbsent(change.revision(), change);
    if (other == null) {
      byKey.computeIfAbsent(change.key(), _ -> new TreeMap<>()).put(change.revision(), change);
    } else if (!other.equals(change)) {
      contradictions.add(
          "one revision, two changes: %s, but %s shows %s".formatted(other, source, change));
    }
  }

  List<String> contradictions() {
    return contradictions;
  }

  /** Returns the newest change of an object up to a revision. */
  @Nullable Change newest(String key, long revision) {
    Map.Entry<Long, Change> found = byKey.getOrDefault(key, new TreeMap<>()).floorEntry(revision);
    return found == null ? null : found.getValue();
  }

  /** Returns the changes after one revision, up to and including another. */
  Collection<Change> between(long after, long last) {
    return after >= last ? List.of() : all.subMap(after, false, last, true).values();
  }
}
