package dev.stint.reconcile;

import dev.stint.cluster.EventLoop;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.FewNames;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates the events about an object that has many dependents. The first change is recorded at
 * once. Later changes are collected and recorded as one event, after a gap that doubles from one
 * second to one minute. Any other event about the object first flushes the collected ones, so that
 * events stay in order.
 *
 * <p>Used on the event loop only.
 */
public final class EventAggregator implements AutoCloseable {

  /** The number of events that are recorded at the end: the process must not wait for more. */
  private static final int MOST_AT_END = 100;

  /** The time between two events, by how many have had to wait in a row. */
  private static final ExponentialBackoff GAP =
      new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofMinutes(1));

  private record Key(String uid, String reason) {}

  /** The events about one object for one reason. */
  private static final class Batch {
    private final List<String> names = new ArrayList<>(FewNames.MOST);
    private int size;
    private int waited;
    private Instant due;
    private String what;

    /** The object as it was last; null while nothing waits, so that none is kept for long. */
    private @Nullable KubeObject object;

    private Batch(String what, Instant due) {
      this.what = what;
      this.due = due;
    }

    private void add(KubeObject state, String change, List<String> more) {
      object = state;
      what = change;
      size += more.size();
      names.addAll(more.subList(0, Math.min(more.size(), FewNames.MOST - names.size())));
    }

    private String message() {
      return what + (size == 1 ? ": " : "s: ") + FewNames.of(names, size);
    }
  }

  private final EventRecorder recorder;
  private final EventLoop loop;
  private final TimerQueue<Key> timers;
  private final Map<String, Map<String, Batch>> batches = new HashMap<>();

  public EventAggregator(EventRecorder recorder, EventLoop loop) {
    this.recorder = recorder;
    this.loop = loop;
    this.timers = new TimerQueue<>(loop, this::onDue);
  }

  /** Records an event about an object, after those that wait. */
  public void event(KubeObject object, boolean warning, String reason, String message) {
    batches.getOrDefault(object.uid(), Map.of()).forEach(this::tell);
    recorder.event(object, warning, reason, message);
  }

  /**
   * Records one event about several dependents of an object, now or with later ones.
   *
   * @param what the change of one of them, such as {@code Created pod}
   * @param names the dependents, of which the first few are named; no event if there are none
   */
  public void eventNaming(KubeObject object, String reason, String what, List<String> names) {
    if (names.isEmpty()) {
      return;
    }
    Instant now = loop.now();
    Batch batch =
        batches
            .computeIfAbsent(object.uid(), _ -> new HashMap<>(4))
            .computeIfAbsent(reason, _ -> new Batch(what, now));
    boolean waits = batch.size > 0;
    batch.add(object, what, names);
    if (!waits && !now.isBefore(batch.due)) {
      batch.waited = 0;
      tell(reason, batch);
    } else if (!waits) {
      timers.put(new Key(object.uid(), reason), batch.due);
    }
  }

  private void onDue(Key key) {
    Batch batch = batches.getOrDefault(key.uid(), Map.of()).get(key.reason());
    if (batch != null && batch.size > 0) {
      batch.waited++;
      tell(key.reason(), batch);
    }
  }

  private void tell(String reason, Batch batch) {
    if (batch.object != null) {
      recorder.event(batch.object, false, reason, batch.message());
      batch.object = null;
      batch.names.clear();
      batch.size = 0;
      batch.due = loop.now().plus(GAP.delay(batch.waited + 1));
    }
  }

  /** Tells what waits about a deleted object, and forgets the object. */
  public void forget(String uid) {
    Map<String, Batch> ofObject = batches.remove(uid);
    if (ofObject != null) {
      ofObject.forEach((reason, batch) -> {
        timers.remove(new Key(uid, reason));
        tell(reason, batch);
      });
    }
    recorder.forget(uid);
  }

  /** Tells what waits, up to a number of events. */
  @Override
  public void close() {
    timers.close();
    Map<Batch, String> waiting = new LinkedHashMap<>();
    for (Map<String, Batch> ofObject : batches.values()) {
      ofObject.forEach((reason, batch) -> {
        if (batch.size > 0 && waiting.size() < MOST_AT_END) {
          waiting.put(batch, reason);
        }
      });
    }
    waiting.forEach((batch, reason) -> tell(reason, batch));
  }
}
