package dev.stint.runner.process;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.process.command.AttemptDir;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * The successes that an earlier life left on disk: its pods ended while no runtime watched them, so
 * their statuses do not tell yet.
 */
public final class SuccessesOnDisk {
  private static final Logger LOG = LoggerFactory.getLogger(SuccessesOnDisk.class);

  private final Path podsDir;

  public SuccessesOnDisk(Path podsDir) {
    this.podsDir = podsDir;
  }

  /** True if the last attempt of each container of a pod ended with success, and counts. */
  public boolean has(KubeObject pod) {
    ArrayNode containers = Json.arrayAt(pod.spec(), "containers");
    if (containers == null) {
      return false;
    }
    try {
      for (JsonNode container : containers) {
        String name = Objects.requireNonNullElse(Json.text(container, "name"), "");
        if (!hasSucceeded(AttemptDir.containerDir(podsDir, pod.uid(), name))) {
          return false;
        }
      }
      return !containers.isEmpty();
    } catch (IOException unreadable) {
      LOG.warn("Cannot read the attempts of {}; they do not count: {}", pod, unreadable.toString());
      return false;
    }
  }

  private static boolean hasSucceeded(Path container) throws IOException {
    Optional<AttemptHistoryOnDisk> history = AttemptHistoryOnDisk.read(container);
    if (history.isEmpty()) {
      return false;
    }
    AttemptDir latest = history.get().latest();
    return !latest.isInterrupted() && latest.exit().filter(exit -> exit.code() == 0).isPresent();
  }
}
