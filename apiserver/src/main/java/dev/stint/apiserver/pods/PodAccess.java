package dev.stint.apiserver.pods;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The port to whoever runs pods, as the API needs it. What can't be done is told by {@code
 * ClusterException}, in a kubelet's words. Methods may wait, for the disk or for a process.
 */
public interface PodAccess {
  /**
   * The containers of a pod that is gone, by its name, of which logs are still kept; empty where
   * there are none.
   */
  List<String> kept(String namespace, String pod) throws IOException;

  /** Opens a log. {@code BAD_REQUEST} where there is none (yet). */
  Log log(LogRequest request) throws IOException;

  /**
   * Starts a command in a container that runs.
   *
   * @param command with its arguments
   * @param tty whether on a terminal of its own
   */
  PodProcess exec(KubeObject pod, String container, List<String> command, boolean tty)
      throws IOException;

  /** Listens to a container that runs, from now on. Its input is closed. */
  PodProcess attach(KubeObject pod, String container) throws IOException;

  /** The runtime's own name of a container's latest run, where the pod's status tells it. */
  static Optional<String> containerId(KubeObject pod, String container) {
    return ContainerStates.of(pod, container)
        .map(status -> Json.text(status, "containerID"))
        .filter(id -> !id.isEmpty());
  }

  /** Why a container does not run yet, where the pod's status tells it. */
  static Optional<String> waitingReason(KubeObject pod, String container) {
    return ContainerStates.of(pod, container)
        .map(status -> Json.objectAt(Json.objectAt(status, "state"), "waiting"))
        .map(waiting -> Json.text(waiting, "reason"));
  }

  /** A log that is open for being read once. */
  interface Log {
    /**
     * Writes it all.
     *
     * @param closed completes when nobody reads any more
     */
    void writeTo(Out out, CompletableFuture<?> closed) throws IOException, InterruptedException;
  }

  /** Where a log goes. */
  @FunctionalInterface
  interface Out {
    void write(byte[] piece) throws IOException;
  }
}
