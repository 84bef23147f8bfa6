package dev.stint.console;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.console.ChangeFeed.Frame;
import dev.stint.jobs.DeviceUse;
import dev.stint.jobs.DeviceUse.Holder;
import dev.stint.jobs.Follower;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The devices of the nodes, and which pods have them, below the list of Jobs. Pods are followed
 * only if a node has devices. On another cluster, somebody else assigns the devices.
 */
final class DeviceRows implements Follower.Listener<DeviceRows.Row>, AutoCloseable {
  private final Cluster cluster;
  private final boolean local;
  private final Runnable changed;
  private final Follower<Row> follower;
  private final Map<String, Row> rows = new HashMap<>();
  private SortedMap<String, Long> all = new TreeMap<>();
  private boolean pending;

  /** The devices of one pod. */
  record Row(String uid, List<Holder> holders) {}

  /**
   * @param changed runs whenever there is something to take; short
   */
  DeviceRows(ConsoleOptions options, Runnable changed) {
    this.cluster = options.cluster();
    this.local = options.tree() != null;
    this.changed = changed;
    this.follower =
        new Follower<>(
            cluster,
            Kind.POD,
            null,
            options.timers(),
            options.randoms().get(),
            DeviceRows::row,
            this);
  }

  /** Reads the nodes, and follows the pods if there are devices. Blocks. */
  void start() {
    try {
      SortedMap<String, Long> found = local ? DeviceUse.ofNodes(cluster) : new TreeMap<>();
      if (!found.isEmpty()) {
        synchronized (this) {
          all = found;
          pending = true;
        }
        follower.start();
      }
    } catch (ClusterException refused) {
      // Whoever may not read nodes or pods sees no devices.
    }
  }

  /** Returns the devices of a pod; null if it has none, or has ended. */
  static @Nullable Row row(KubeObject pod) {
    List<Holder> holders = DeviceUse.holders(pod);
    return holders.isEmpty() ? null : new Row(pod.uid(), holders);
  }

  @Override
  public void onUpdate(Row row) {
    synchronized (this) {
      rows.put(row.uid(), row);
      pending = true;
    }
    changed.run();
  }

  @Override
  public void onDelete(Row last) {
    synchronized (this) {
      rows.remove(last.uid());
      pending = true;
    }
    changed.run();
  }

  /** Returns all devices if something has changed; otherwise nothing. */
  synchronized List<Frame> take() {
    if (!pending) {
      return List.of();
    }
    pending = false;
    ObjectNode frame = Json.object();
    ArrayNode devices = frame.putArray("devices");
    List<Holder> holders =
        rows.values().stream()
            .flatMap(row -> row.holders().stream())
            .sorted(Comparator.comparing(Holder::id).thenComparing(Holder::pod))
            .toList();
    all.forEach((resource, count) -> {
      ObjectNode device = devices.addObject().put("resource", resource);
      ArrayNode held = device.put("count", count.longValue()).putArray("holders");
      holders.stream()
          .filter(each -> each.resource().equals(resource))
          .forEach(each -> held.add(json(each)));
    });
    return List.of(new Frame("devices", frame));
  }

  private static ObjectNode json(Holder holder) {
    return Json.object()
        .put("id", holder.id())
        .put("namespace", holder.namespace())
        .put("pod", holder.pod())
        .put("job", holder.job());
  }

  @Override
  public void close() {
    follower.close();
  }
}
