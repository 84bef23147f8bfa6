package dev.stint.runner.access;

import dev.stint.model.KubeObject;
import dev.stint.runner.log.LogTree;
import dev.stint.runner.runtime.Exit;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.node.ObjectNode;

/** A runtime whose pods can be reached into. */
public interface RunningPods {
  /** Where the logs of all pods are. */
  LogTree logs();

  /**
   * Whether an attempt of a container runs.
   *
   * @return what completes when it has ended, with how; empty where it does not run
   */
  CompletableFuture<Optional<CompletableFuture<Exit>>> running(
      String podUid, String container, int number);

  /**
   * Starts a command beside a container's own.
   *
   * @param container the entry of {@code spec.containers}
   * @throws IOException it can't be started; the message says why
   */
  ExecTarget exec(KubeObject pod, ObjectNode container, List<String> argv, boolean tty)
      throws IOException;
}
