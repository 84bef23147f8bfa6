package dev.stint.conformance.histories;

import dev.stint.cluster.WatchEvent;
import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A client that watches one Job and its pods. Any thread may ask. */
final class JobObserver {
  /** Stands among the statuses for a change of the Job that was refused. */
  static final String REFUSED = "refused";

  private final LongSupplier clock;
  private final Map<String, KubeObject> pods = new LinkedHashMap<>();
  private final List<String> statuses = new ArrayList<>();
  private final List<KubeObject> created = new ArrayList<>();
  private @Nullable KubeObject job;
  private @Nullable KubeObject known;
  private String last = "";
  private long changed;

  /**
   * @param clock tells when something was seen, in milliseconds
   */
  JobObserver(LongSupplier clock) {
    this.clock = clock;
    this.changed = clock.getAsLong();
  }

  synchronized void onJob(WatchEvent event) {
    touch();
    known = event.object();
    job = event.type() == WatchEvent.Type.DELETED ? null : known;
    String text = job == null ? "gone" : StatusText.of(event.object());
    if (!text.equals(last)) {
      statuses.add(text);
      last = text;
    }
  }

  synchronized void onPod(WatchEvent event) {
    touch();
    KubeObject pod = event.object();
    if (event.type() == WatchEvent.Type.ADDED) {
      created.add(pod);
    }
    if (event.type() == WatchEvent.Type.DELETED) {
      pods.remove(pod.name());
    } else {
      pods.put(pod.name(), pod);
    }
  }

  /** Records that a change of the Job was refused, like a status. */
  synchronized void onRefusal() {
    statuses.add(REFUSED);
  }

  /** Records that something happens. */
  synchronized void touch() {
    changed = clock.getAsLong();
  }

  /** Returns when something was last seen. */
  synchronized long changed() {
    return changed;
  }

  /** Returns the Job; null if it is gone. */
  synchronized @Nullable KubeObject job() {
    return job;
  }

  /** Returns the pods, the oldest first. */
  synchronized List<KubeObject> pods() {
    return List.copyOf(pods.values());
  }

  /** Returns the different statuses since the last call, in order. */
  synchronized List<String> takeStatuses() {
    List<String> taken = List.copyOf(statuses);
    statuses.clear();
    return taken;
  }

  /** Returns what pods looked like when they were created. */
  synchronized List<String> made() {
    Set<String> made = new TreeSet<>();
    KubeObject owner = known;
    if (owner != null) {
      created.forEach(pod -> made.add(PodText.made(pod, owner)));
    }
    return List.copyOf(made);
  }

  /** Returns the texts of all pods, sorted, equal ones once with their number. */
  synchronized String podsText() {
    Map<String, Integer> counts = new TreeMap<>();
    pods.values().forEach(pod -> counts.merge(PodText.of(pod), 1, Integer::sum));
    return counts.entrySet().stream()
        .map(entry ->
            entry.getValue() == 1 ? entry.getKey() : entry.getValue() + "x" + entry.getKey())
        .collect(Collectors.joining(", "));
  }
}
