package dev.stint.bench.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The laws of revisions, which are one order of all changes of all objects.
 *
 * <ul>
 *   <li>A write has a larger revision than everything that was seen before it was sent.
 *   <li>A list is not older than anything that was seen before it was asked for.
 *   <li>A list holds exactly the objects that there are at its revision.
 * </ul>
 */
final class RevisionLaws {
  private final RecordedHistory history;
  private final Changes changes;
  private final List<String> violations = new ArrayList<>();

  private RevisionLaws(RecordedHistory history, Changes changes) {
    this.history = history;
    this.changes = changes;
  }

  static List<String> check(RecordedHistory history, Changes changes) {
    RevisionLaws laws = new RevisionLaws(history, changes);
    laws.checkOrder();
    history.listings().forEach(laws::checkSnapshot);
    return laws.violations;
  }

  /** A revision that is seen from a time on. */
  private record Sighting(long at, long revision) {}

  /** A request that was sent at a time, and the least revision of its answer. */
  private record Demand(long at, long revision, boolean isWrite, Object source) {}

  private void checkOrder() {
    List<Sighting> sightings = sightings();
    sightings.sort(Comparator.comparingLong(Sighting::at));
    List<Demand> demands = demands();
    demands.sort(Comparator.comparingLong(Demand::at));
    long seen = 0;
    int next = 0;
    for (Demand demand : demands) {
      for (; next < sightings.size() && sightings.get(next).at() < demand.at(); next++) {
        seen = Math.max(seen, sightings.get(next).revision());
      }
      if (demand.isWrite() ? demand.revision() <= seen : demand.revision() < seen) {
        violations.add(
            "older than what was seen before: revision %d was seen before the call of %s"
                .formatted(seen, demand.source()));
      }
    }
  }

  private List<Sighting> sightings() {
    List<Sighting> sightings = new ArrayList<>();
    for (Operation operation : history.operations()) {
      if (operation.outcome() instanceof Outcome.Shown(Version version)) {
        sightings.add(new Sighting(operation.end(), version.revision()));
      }
    }
    history.listings().forEach(each -> sightings.add(new Sighting(each.end(), each.revision())));
    for (EventStream stream : history.streams()) {
      stream.deliveries().forEach(each -> sightings.add(new Sighting(each.at(), each.revision())));
    }
    return sightings;
  }

  private List<Demand> demands() {
    List<Demand> demands = new ArrayList<>();
    for (Operation operation : history.operations()) {
      if (operation.action().isWrite()
          && operation.outcome() instanceof Outcome.Shown(Version version)) {
        demands.add(new Demand(operation.call(), version.revision(), true, operation));
      }
    }
    for (Listing listing : history.listings()) {
      if (listing.isCurrent()) {
        demands.add(new Demand(listing.call(), listing.revision(), false, listing));
      }
    }
    return demands;
  }

  private void checkSnapshot(Listing listing) {
    Map<String, Version> items = new HashMap<>();
    listing.items().forEach(item -> items.put(item.key(), item));
    if (items.size() < listing.items().size()) {
      violations.add("a list has an object twice: " + listing);
    }
    Set<String> keys = history.keys();
    for (String key : keys) {
      Changes.Change newest = changes.newest(key, listing.revision());
      String fault = difference(newest, items.get(key), listing.revision());
      if (fault != null) {
        violations.add("%s: %s in %s".formatted(fault, newest, listing));
      }
    }
  }

  private static @Nullable String difference(
      Changes.@Nullable Change newest, @Nullable Version item, long revision) {
    if (item == null) {
      return null; // The deletion may be one that nobody saw; each object's own order shows it.
    }
    if (item.revision() > revision) {
      return "a list has an object of a later revision";
    }
    if (newest == null || newest.version() == null) {
      return "a list has an object that was deleted before";
    }
    return newest.version().equals(item) ? null : "a list has an older version than its revision";
  }
}
