package dev.stint.bench.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Everything that the clients of one server saw. */
public record RecordedHistory(
    List<Operation> operations, List<Listing> listings, List<EventStream> streams) {

  /** Returns the names of all objects. */
  Set<String> keys() {
    Set<String> keys = new TreeSet<>();
    operations.forEach(operation -> keys.add(operation.key()));
    return keys;
  }

  /** Returns the operations on one object; a list of current objects reads each of them. */
  List<Operation> of(String key) {
    List<Operation> all = new ArrayList<>();
    operations.stream().filter(each -> each.key().equals(key)).forEach(all::add);
    listings.stream().filter(Listing::isCurrent).forEach(each -> all.add(read(each, key)));
    return all;
  }

  private static Operation read(Listing listing, String key) {
    Outcome outcome =
        listing.items().stream()
            .filter(item -> item.key().equals(key))
            .<Outcome>map(Outcome.Shown::new)
            .findFirst()
            .orElseGet(Outcome.Absent::new);
    return new Operation(
        listing.client(), key, new Action.Read(), listing.call(), listing.end(), outcome);
  }
}
