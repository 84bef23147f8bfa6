package dev.stint.runner;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks periodically whether a pod's volumes exceed their limits, as a kubelet does ("Local
 * ephemeral storage"). Pods without such limits cost nothing. On the loop only.
 */
final class DiskWatch {
  private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private final NodePorts node;
  private final PodLife life;
  private boolean closed;
  private Runnable cancelNext = () -> {};

  private DiskWatch(NodePorts node, PodLife life) {
    this.node = node;
    this.life = life;
  }

  /**
   * Starts the checks, if the pod has limits.
   *
   * @return stops the checks
   */
  static Runnable start(NodePorts node, PodLife life) {
    DiskWatch watch = new DiskWatch(node, life);
    if (isLimited(life.pod())) {
      watch.checkLater();
    }
    return watch::close;
  }

  private static boolean isLimited(KubeObject pod) {
    ArrayNode volumes = Json.arrayAt(pod.spec(), "volumes");
    return volumes != null && volumes.valueStream().anyMatch(DiskWatch::isLimited);
  }

  private static boolean isLimited(JsonNode volume) {
    ObjectNode scratch = Json.objectAt(volume, "emptyDir");
    boolean memory = "Memory".equals(Json.text(scratch, "medium"));
    return scratch != null && !memory && scratch.hasNonNull("sizeLimit");
  }

  private void checkLater() {
    cancelNext = node.after(PERIOD, this::check);
  }

  private void close() {
    closed = true;
    cancelNext.run();
  }

  private void check() {
    var _ =
        node.runtime()
            .overuse(life.pod())
            .exceptionally(failure -> {
              LOG.warn(
                  "Cannot measure the volumes of {}; checking again later: {}",
                  life.pod().ref(),
                  failure.toString());
              return Optional.empty();
            })
            .thenAccept(found -> node.loop().execute(() -> onChecked(found)));
  }

  private void onChecked(Optional<String> found) {
    if (closed) {
      return;
    }
    if (found.isEmpty()) {
      checkLater();
    } else {
      life.evict(found.get());
    }
  }
}
