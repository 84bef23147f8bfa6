package dev.stint.apiserver;

import dev.stint.cluster.ObjectList;
import dev.stint.model.KubeObject;
import dev.stint.store.Entry;
import dev.stint.store.Snapshot;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A list that is delivered in parts, all of one revision, so that only one part's objects exist at
 * a time: old values are stored packed, and a million of them do not fit unpacked. Parsed, an
 * object may take several times the memory of its text.
 */
final class StreamedList {
  private static final int SIZE = 500;
  private static final int BYTES = 4 << 20;

  private final Snapshot snapshot;
  private final String revision;
  private final Function<Entry, KubeObject> object;
  private final Function<ObjectList, CompletableFuture<?>> each;
  private final CompletableFuture<String> done = new CompletableFuture<>();
  private int next;

  private StreamedList(
      Snapshot snapshot,
      Function<Entry, KubeObject> object,
      Function<ObjectList, CompletableFuture<?>> each) {
    this.snapshot = snapshot;
    this.revision = Long.toString(snapshot.revision());
    this.object = object;
    this.each = each;
  }

  /**
   * Delivers the whole list, at least one part.
   *
   * @param each takes the parts in order; the next part is made when the returned future completes
   * @return completes with the revision
   */
  static CompletableFuture<String> of(
      Snapshot snapshot,
      Function<Entry, KubeObject> object,
      Function<ObjectList, CompletableFuture<?>> each) {
    StreamedList parts = new StreamedList(snapshot, object, each);
    parts.proceed();
    return parts.done;
  }

  /**
   * Continues with the next part. This is a loop instead of recursion, since a part may be taken at
   * once.
   */
  private void proceed() {
    do {
      CompletableFuture<?> taken = each.apply(part());
      if (!taken.isDone() || taken.isCompletedExceptionally()) {
        taken.whenComplete((_, fault) -> onTaken(fault));
        return;
      }
    } while (next < snapshot.entries().size());
    done.complete(revision);
  }

  private void onTaken(@Nullable Throwable fault) {
    if (fault != null) {
      done.completeExceptionally(fault);
    } else if (next >= snapshot.entries().size()) {
      done.complete(revision);
    } else {
      try {
        proceed();
      } catch (RuntimeException | Error notMade) {
        done.completeExceptionally(notMade);
      }
    }
  }

  private ObjectList part() {
    List<Entry> entries = snapshot.entries();
    int end = end(entries);
    List<KubeObject> items = entries.subList(next, end).stream().map(object).toList();
    next = end;
    return new ObjectList(items, revision);
  }

  /** Returns the end of the next part, which has at least one entry if any is left. */
  private int end(List<Entry> entries) {
    int most = Math.min(next + SIZE, entries.size());
    int end = next;
    for (long bytes = 0; end < most; end++) {
      bytes += entries.get(end).length();
      if (bytes > BYTES && end > next) {
        break;
      }
    }
    return end;
  }
}
