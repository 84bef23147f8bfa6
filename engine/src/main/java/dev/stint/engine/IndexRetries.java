package dev.stint.engine;

import dev.stint.engine.pod.PodView;
import dev.stint.model.ExponentialBackoff;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * The indexes that wait for another try, each with its own delay, in a Job with a backoff limit per
 * index (KEP-3850, Exponential backoff delay per index). The failed pod stays tracked until its
 * replacement exists, since its annotation is the only record of how often the index failed.
 */
final class IndexRetries {
  /**
   * An index to try again.
   *
   * @param failed the last pod of the index, which failed
   * @param due when its back-off has passed
   */
  record Retry(int index, PodView failed, Instant due) {}

  private record Entry(PodView pod, boolean retriable) {}

  /**
   * Orders pods of the same attempt: first those to be retried, by finish time; then those that
   * need no other try.
   */
  private static final Comparator<Entry> LAST =
      Comparator.comparing((Entry entry) -> !entry.retriable)
          .thenComparing(entry -> entry.pod.finishTime())
          .thenComparing(entry -> entry.pod.uid());

  private ExponentialBackoff backoff;
  private final NavigableMap<Integer, List<Entry>> trackedByIndex = new TreeMap<>();
  private final Map<Integer, Retry> byIndex = new HashMap<>();
  private final TreeSet<Retry> byTime =
      new TreeSet<>(Comparator.comparing(Retry::due).thenComparingInt(Retry::index));

  IndexRetries(ExponentialBackoff backoff) {
    this.backoff = backoff;
  }

  /** Delays the waiting indexes as this back-off says. */
  void setBackoff(ExponentialBackoff changed) {
    backoff = changed;
    trackedByIndex.keySet().forEach(this::schedule);
  }

  /**
   * Records a tracked pod.
   *
   * @param retriable whether it failed and its index may be tried again
   */
  void put(PodView pod, boolean retriable) {
    Integer index = pod.index();
    trackedByIndex.computeIfAbsent(index, _ -> new ArrayList<>(2)).add(new Entry(pod, retriable));
    if (retriable || byIndex.containsKey(index)) {
      schedule(index);
    }
  }

  void remove(PodView pod) {
    Integer index = pod.index();
    List<Entry> entries = trackedByIndex.getOrDefault(index, List.of());
    entries.removeIf(entry -> entry.pod.uid().equals(pod.uid()));
    if (entries.isEmpty()) {
      trackedByIndex.remove(index);
    }
    if (!entries.isEmpty() || byIndex.containsKey(index)) {
      schedule(index);
    }
  }

  /**
   * Calls {@code each} with every retriable failed pod of the index, and true if the index no
   * longer needs it: a later pod has replaced it, or another pod of the same attempt has settled
   * the index.
   */
  void forEachFailed(int index, BiConsumer<PodView, Boolean> each) {
    List<Entry> entries = trackedByIndex.getOrDefault(index, List.of());
    for (Entry entry : entries) {
      if (entry.retriable) {
        each.accept(entry.pod, isReplaced(entry.pod, entries));
      }
    }
  }

  /** Returns the retriable failed pods of all indexes from this one on. */
  List<PodView> failedFrom(int index) {
    return trackedByIndex.tailMap(index, true).values().stream()
        .flatMap(List::stream)
        .filter(Entry::retriable)
        .map(Entry::pod)
        .toList();
  }

  private static boolean isReplaced(PodView failed, List<Entry> entries) {
    int attempt = attempt(failed);
    return entries.stream()
        .map(Entry::pod)
        .anyMatch(
            other -> attempt(other) > attempt || attempt(other) == attempt && other.hasSucceeded());
  }

  Iterable<Retry> inOrder() {
    return Collections.unmodifiableSet(byTime);
  }

  private void schedule(Integer index) {
    Retry before = byIndex.remove(index);
    if (before != null) {
      byTime.remove(before);
    }
    List<Entry> entries = trackedByIndex.getOrDefault(index, List.of());
    int last = lastAttempt(entries);
    entries.stream()
        .filter(entry -> attempt(entry.pod) == last)
        .max(LAST)
        .filter(Entry::retriable)
        .ifPresent(entry -> schedule(entry.pod));
  }

  private void schedule(PodView failed) {
    Instant due = failed.finishTime().plus(backoff.delay(attempt(failed) + 1));
    Retry retry = new Retry(failed.index(), failed, due);
    byIndex.put(failed.index(), retry);
    byTime.add(retry);
  }

  private static int lastAttempt(List<Entry> entries) {
    int last = -1;
    for (Entry entry : entries) {
      last = Math.max(last, attempt(entry.pod));
    }
    return last;
  }

  private static int attempt(PodView pod) {
    return pod.failureCount() + pod.ignoredFailureCount();
  }
}
