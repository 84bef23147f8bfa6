package dev.stint.bench.history;

import java.util.ArrayList;
import java.util.List;

/** Builds histories of one object, {@code k}, with times that are easy to read. */
final class HistoryBuilder {
  private final List<Operation> operations = new ArrayList<>();
  private final List<Listing> listings = new ArrayList<>();
  private final List<EventStream> streams = new ArrayList<>();

  static Content content(String put) {
    return new Content(put, "");
  }

  static Version version(long revision, String put) {
    return new Version("k", "u1", revision, content(put));
  }

  static Version patched(long revision, String put, String patch) {
    return new Version("k", "u1", revision, new Content(put, patch));
  }

  static Outcome shown(long revision, String put) {
    return new Outcome.Shown(version(revision, put));
  }

  HistoryBuilder with(long call, long end, Action action, Outcome outcome) {
    operations.add(new Operation(operations.size(), "k", action, call, end, outcome));
    return this;
  }

  HistoryBuilder creates(long call, long end, String put, long revision) {
    return with(call, end, new Action.Create(content(put)), shown(revision, put));
  }

  HistoryBuilder replaces(long call, long end, long base, String put, long revision) {
    return with(call, end, new Action.Replace(content(put), base), shown(revision, put));
  }

  HistoryBuilder deletes(long call, long end) {
    return with(call, end, new Action.Delete(0), new Outcome.Deleted());
  }

  HistoryBuilder reads(long call, long end, Outcome outcome) {
    return with(call, end, new Action.Read(), outcome);
  }

  HistoryBuilder lists(long call, long end, long revision, Version... items) {
    listings.add(new Listing(9, call, end, revision, List.of(items), true));
    return this;
  }

  HistoryBuilder listsAt(long call, long end, long revision, Version... items) {
    listings.add(new Listing(9, call, end, revision, List.of(items), false));
    return this;
  }

  HistoryBuilder watches(String side, long from, List<Version> known, Delivery... deliveries) {
    streams.add(new EventStream(8, side, from, known, List.of(deliveries)));
    return this;
  }

  static Delivery event(long at, Delivery.Type type, Version version) {
    return new Delivery(at, type, version.revision(), version);
  }

  static Delivery bookmark(long at, long revision) {
    return new Delivery(at, Delivery.Type.BOOKMARK, revision, null);
  }

  RecordedHistory history() {
    return new RecordedHistory(operations, listings, streams);
  }

  /** Returns what is wrong, without the details. */
  List<String> violations() {
    HistoryCheck.Report report = HistoryCheck.check(history());
    return report.violations().stream().map(text -> text.substring(0, text.indexOf(':'))).toList();
  }
}
