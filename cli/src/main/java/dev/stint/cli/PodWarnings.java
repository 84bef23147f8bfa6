package dev.stint.cli;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What keeps pods from going on, in lines for people: the warnings of the node agent, each reason a
 * few times.
 */
final class PodWarnings {
  private static final int MOST_OF_A_REASON = 3;

  private final Cluster cluster;
  private final Queue<KubeObject> news = new ConcurrentLinkedQueue<>();
  private final Map<String, Set<String>> told = new HashMap<>();

  PodWarnings(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Listens to what happens from now on. */
  void follow() {
    ObjectList before = Applying.await(cluster.list(Kind.EVENT, null));
    cluster.watch(Kind.EVENT, null, before.resourceVersion(), new Follower());
  }

  private final class Follower implements WatchHandler {
    @Override
    public void event(WatchEvent event) {
      if (event.type() == WatchEvent.Type.ADDED && isWarning(event.object())) {
        news.add(event.object());
      }
    }

    @Override
    public void closed(@Nullable ClusterException cause) {
      if (cause != null) {
        follow();
      }
    }
  }

  /** What is to be told since the last call. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (KubeObject event = news.poll(); event != null; event = news.poll()) {
      String message = String.valueOf(Json.text(event.tree(), "message"));
      Set<String> ofReason =
          told.computeIfAbsent(
              String.valueOf(Json.text(event.tree(), "reason")), _ -> new TreeSet<>());
      if (ofReason.size() < MOST_OF_A_REASON && ofReason.add(message)) {
        String pod = Json.text(Json.objectAt(event.tree(), "involvedObject"), "name");
        lines.add("pod " + pod + ": " + message.strip().lines().findFirst().orElse(""));
      }
    }
    return lines;
  }

  private static boolean isWarning(KubeObject event) {
    return "Warning".equals(Json.text(event.tree(), "type"))
        && "kubelet".equals(Json.text(Json.objectAt(event.tree(), "source"), "component"));
  }
}
