package dev.stint.console;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.console.stream.ChangeFeed.Frame;
import dev.stint.jobs.DeviceUse;
import dev.stint.jobs.DeviceUse.Holder;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The devices of the nodes, and which pods have them, below the list of Jobs. Pods are followed
 * only if a node has devices. On another cluster, somebody else assigns the devices.
 */
final class DeviceRows implements AutoCloseable {
  private final Cluster cluster;
  private final boolean local;
  private final FollowedRows<List<Holder>> rows;

  /** The number of devices by resource. */
  private volatile SortedMap<String, Long> all = new TreeMap<>();

  /**
   * @param changed runs whenever there is something to take; short
   */
  DeviceRows(ConsoleOptions options, Runnable changed) {
    this.cluster = options.cluster();
    this.local = options.tree() != null;
    this.rows = new FollowedRows<>(options, Kind.POD, DeviceRows::row, changed);
  }

  /** Reads the nodes, and follows the pods if there are devices. Blocks. */
  void start() {
    try {
      SortedMap<String, Long> found = local ? DeviceUse.ofNodes(cluster) : new TreeMap<>();
      if (!found.isEmpty()) {
        all = found;
        rows.start();
      }
    } catch (ClusterException refused) {
      // Whoever may not read nodes or pods sees no devices.
    }
  }

  /** Returns the devices of a pod; null if it has none, or has ended. */
  static @Nullable List<Holder> row(KubeObject pod) {
    List<Holder> holders = DeviceUse.holders(pod);
    return holders.isEmpty() ? null : holders;
  }

  /** Returns all devices if something has changed; otherwise nothing. */
  List<Frame> take() {
    List<List<Holder>> taken = rows.take();
    if (taken == null) {
      return List.of();
    }
    ObjectNode frame = Json.object();
    ArrayNode devices = frame.putArray("devices");
    List<Holder> holders =
        taken.stream()
            .flatMap(List::stream)
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
    rows.close();
  }
}
