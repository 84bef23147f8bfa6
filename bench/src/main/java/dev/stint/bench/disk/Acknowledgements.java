package dev.stint.bench.disk;

import dev.stint.store.Entry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The writes that a {@link StoreWriter} has printed, by revision. */
final class Acknowledgements {

  /**
   * @param length of the value; 0 for a deletion
   */
  private record Write(String key, long seed, int length) {
    boolean left(@Nullable Entry entry, long revision) {
      return entry == null
          ? length == 0
          : length > 0
              && entry.revision() == revision
              && Arrays.equals(entry.value(), StoreWriter.value(seed, length));
    }
  }

  private final NavigableMap<Long, Write> writes = new TreeMap<>();

  /** The keys of deletions that were begun, and not acknowledged. */
  private final Set<String> deletions = new HashSet<>();

  /** Reads what was printed; a last line that is cut off was not. */
  static Acknowledgements of(String printed) {
    Acknowledgements all = new Acknowledgements();
    printed.substring(0, printed.lastIndexOf('\n') + 1).lines().forEach(all::add);
    return all;
  }

  private void add(String line) {
    String[] parts = line.split(" ", -1);
    if (parts.length == 1) {
      deletions.add(line);
      return;
    }
    Write write = new Write(parts[0], Long.parseLong(parts[2]), Integer.parseInt(parts[3]));
    writes.put(Long.parseLong(parts[1]), write);
    deletions.remove(write.key());
  }

  int size() {
    return writes.size();
  }

  /** Returns the newest revision; 0 if there is none. */
  long last() {
    return writes.isEmpty() ? 0 : writes.lastKey();
  }

  private Map<String, Long> newest(long revision) {
    Map<String, Long> newest = new TreeMap<>();
    writes.headMap(revision, true).forEach((at, write) -> newest.put(write.key(), at));
    return newest;
  }

  /** Compares a store at a revision with all writes up to it, of which it must hold each. */
  List<String> differences(Map<String, Entry> entries, long revision) {
    Map<String, Long> newest = newest(revision);
    Set<String> keys = new TreeSet<>(newest.keySet());
    keys.addAll(entries.keySet());
    List<String> differences = new ArrayList<>();
    for (String key : keys) {
      Long at = newest.get(key);
      Write write = at == null ? null : writes.get(at);
      Entry entry = entries.get(key);
      if (at == null || write == null || !write.left(entry, at)) {
        differences.add(describe(key, at, entry) + ", at revision " + revision);
      }
    }
    return differences;
  }

  /** Returns the acknowledged writes that a store has lost, which may hold later ones, too. */
  List<String> losses(Map<String, Entry> entries) {
    List<String> losses = new ArrayList<>();
    newest(Long.MAX_VALUE)
        .forEach((key, at) -> {
          Write write = writes.get(at);
          Entry entry = entries.get(key);
          boolean isLater = entry == null ? deletions.contains(key) : entry.revision() > at;
          if (write != null && !isLater && !write.left(entry, at)) {
            losses.add(describe(key, at, entry));
          }
        });
    return losses;
  }

  private static String describe(String key, @Nullable Long at, @Nullable Entry entry) {
    String found =
        entry == null
            ? "gone"
            : "there with revision %d and %d bytes".formatted(entry.revision(), entry.length());
    return at == null
        ? "%s was never written, and is %s".formatted(key, found)
        : "%s was written at revision %d, and is %s".formatted(key, at, found);
  }
}
