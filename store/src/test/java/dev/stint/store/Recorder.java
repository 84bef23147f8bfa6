package dev.stint.store;

import java.util.ArrayList;
import java.util.List;

/** Records the events of a watch. */
final class Recorder implements Store.Listener {
  final List<StoreEvent> events = new ArrayList<>();
  int batches;
  int compactions;

  @Override
  public void events(List<StoreEvent> batch) {
    events.addAll(batch);
    batches++;
  }

  @Override
  public void compacted() {
    compactions++;
  }

  List<Long> revisions() {
    return events.stream().map(StoreEvent::revision).toList();
  }
}
