package dev.stint.runner.status;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.ProcessId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The state of a container in the pod's stored status, as an earlier life of the runner knew it.
 *
 * @param exit its end for good; null if it had not ended
 * @param last the end of the run before that; null for none
 * @param running true if it ran and its postStart hook was done
 * @param startupPassed true if it ran and its startup probe had passed
 */
public record StoredContainer(
    String containerId,
    String imageId,
    int restartCount,
    @Nullable Exit exit,
    @Nullable Exit last,
    boolean running,
    boolean startupPassed) {
  private static final List<String> LISTS = List.of("containerStatuses", "initContainerStatuses");

  public static final StoredContainer NONE =
      new StoredContainer("", "", 0, null, null, false, false);

  /** Finds a container's status. An init container and another one do not have the same name. */
  public static StoredContainer of(KubeObject pod, String name) {
    for (String list : LISTS) {
      ArrayNode statuses = Json.arrayAt(pod.status(), list);
      for (int i = 0; statuses != null && i < statuses.size(); i++) {
        if (name.equals(Json.text(statuses.get(i), "name"))) {
          return of(statuses.get(i));
        }
      }
    }
    return NONE;
  }

  /** Returns the run that was reported as running; null if there was none. */
  public ContainerRun.@Nullable Told told() {
    return running ? new ContainerRun.Told(containerId, restartCount, last) : null;
  }

  /** True if this very run was reported as running. */
  public boolean wasRunning(String id) {
    return running && isOf(id);
  }

  /** True if this very run was reported as started. */
  public boolean hasStarted(String id) {
    return startupPassed && isOf(id);
  }

  private boolean isOf(String id) {
    return containerId.equals(id)
        || ProcessId.of(containerId)
            .filter(own -> ProcessId.of(id).filter(own::isSameRun).isPresent())
            .isPresent();
  }

  private static StoredContainer of(JsonNode status) {
    String id = Json.text(status, "containerID");
    Integer restarts = Json.integer(status, "restartCount");
    ObjectNode state = Json.objectAt(status, "state");
    boolean running = Json.objectAt(state, "running") != null;
    return new StoredContainer(
        id == null ? "" : id,
        textOrEmpty(status, "imageID"),
        restarts == null ? 0 : restarts,
        exit(Json.objectAt(state, "terminated")),
        exit(Json.objectAt(Json.objectAt(status, "lastState"), "terminated")),
        running,
        running && Boolean.TRUE.equals(Json.bool(status, "started")));
  }

  private static @Nullable Exit exit(@Nullable ObjectNode terminated) {
    Integer code = Json.integer(terminated, "exitCode");
    if (code == null) {
      return null;
    }
    Instant finished = timeOr(terminated, "finishedAt", Instant.EPOCH);
    return new Exit(
        code,
        Json.integer(terminated, "signal"),
        textOrEmpty(terminated, "reason"),
        textOrEmpty(terminated, "message"),
        timeOr(terminated, "startedAt", finished),
        finished,
        false,
        false);
  }

  private static Instant timeOr(@Nullable ObjectNode tree, String member, Instant otherwise) {
    Instant time = Timestamps.parse(Json.text(tree, member));
    return time == null ? otherwise : time;
  }

  private static String textOrEmpty(@Nullable JsonNode tree, String member) {
    String text = Json.text(tree, member);
    return text == null ? "" : text;
  }
}
