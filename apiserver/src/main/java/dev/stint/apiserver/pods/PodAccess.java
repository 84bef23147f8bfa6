package dev.stint.apiserver.pods;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The port through which the API reaches running pods. Methods throw a {@code ClusterException} for
 * what cannot be done, in a kubelet's words. They may block, for the disk or for a process.
 */
public interface PodAccess {
  /**
   * Returns the containers of a deleted pod, by its name, whose logs are still kept; empty if there
   * are none.
   */
  List<String> kept(String namespace, String pod) throws IOException;

  /** Opens a log. Throws {@code BAD_REQUEST} if there is none (yet). */
  Log log(LogRequest request) throws IOException;

  /**
   * Starts a command in a running container.
   *
   * @param command with its arguments
   * @param tty true for a terminal of its own
   */
  PodProcess exec(KubeObject pod, String container, List<String> command, boolean tty)
      throws IOException;

  /** Attaches to the output of a running container, from now on. Its input is closed. */
  PodProcess attach(KubeObject pod, String container) throws IOException;

  /** Returns the runtime's id of a container's latest run, if the pod's status has it. */
  static Optional<String> containerId(KubeObject pod, String container) {
    return ContainerStates.of(pod, container)
        .map(status -> Json.text(status, "containerID"))
        .filter(id -> !id.isEmpty());
  }

  /** Returns the reason why a container does not run yet, if the pod's status has it. */
  static Optional<String> waitingReason(KubeObject pod, String container) {
    return ContainerStates.of(pod, container)
        .map(status -> Json.objectAt(Json.objectAt(status, "state"), "waiting"))
        .map(waiting -> Json.text(waiting, "reason"));
  }

  /** A log that can be read once. */
  interface Log {
    /**
     * Writes the whole log.
     *
     * @param closed completes when the reader has gone
     */
    void writeTo(Out out, CompletableFuture<?> closed) throws IOException, InterruptedException;
  }

  /** Receives a log. */
  @FunctionalInterface
  interface Out {
    void write(byte[] piece) throws IOException;
  }
}
