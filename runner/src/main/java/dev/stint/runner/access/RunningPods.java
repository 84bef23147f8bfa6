package dev.stint.runner.access;

import dev.stint.model.KubeObject;
import dev.stint.runner.log.LogTree;
import dev.stint.runner.runtime.Exit;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.node.ObjectNode;

/** A runtime that gives access to its running pods. */
public interface RunningPods {
  /** Returns the logs of all pods. */
  LogTree logs();

  /**
   * Finds a running attempt of a container.
   *
   * @return a future that completes with the attempt's end; empty if it does not run
   */
  CompletableFuture<Optional<CompletableFuture<Exit>>> running(
      String podUid, String container, int number);

  /**
   * Starts a further command in a container.
   *
   * @param container the entry of {@code spec.containers}
   * @throws IOException the command cannot be started; the message says why
   */
  ExecTarget exec(KubeObject pod, ObjectNode container, List<String> argv, boolean tty)
      throws IOException;
}
