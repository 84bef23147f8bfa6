package dev.stint.jobs.attempts;

import dev.stint.jobs.attempts.ContainerAttemptView.State;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.Timestamps;
import dev.stint.model.item.Item;
import dev.stint.model.pod.PodPhase;
import dev.stint.model.pod.PodScheduled;
import dev.stint.runner.device.PodDevices;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the current and the previous run of each container from a pod's status. */
public final class PodAttempts {
  /** The container IDs of our runtimes: {@code process://<boot>/<pod uid>/<container>/<run>}. */
  private static final Pattern OURS = Pattern.compile("(?:process|simulated)://.*/(\\d{1,9})");

  private static final String MAIN = "containerStatuses";

  private static final Pattern INDEX = Pattern.compile("\\d{1,9}");

  /** The reason of a container that the kubelet no longer finds; its exit code is made up. */
  private static final String UNKNOWN = "ContainerStatusUnknown";

  /** The reasons of containers that do not say why they failed. */
  private static final Set<String> UNEXPLAINED = Set.of(UNKNOWN, "Error");

  private PodAttempts() {}

  /** Returns the attempts, not numbered yet; at least one, which waits if nothing has started. */
  public static List<ContainerAttemptView> of(KubeObject pod) {
    List<ContainerAttemptView> runs = new ArrayList<>();
    for (String list : List.of("initContainerStatuses", MAIN)) {
      JsonNode statuses = Json.arrayAt(pod.status(), list);
      for (int i = 0; statuses != null && i < statuses.size(); i++) {
        runs.addAll(ofContainer(pod, statuses.get(i), list.equals(MAIN)));
      }
    }
    List<ContainerAttemptView> found = runs.isEmpty() ? List.of(neverStarted(pod)) : runs;
    String item = pod.annotation(Item.ANNOTATION);
    boolean devices = pod.annotation(PodDevices.ANNOTATION) != null;
    if (item == null && !devices) {
      return found;
    }
    String own = devices ? PodDevices.of(pod).display() : null;
    return found.stream().map(each -> each.withItem(item).withDevices(own)).toList();
  }

  /** Returns the completion index that a pod's metadata holds; null if it holds none. */
  static @Nullable Integer index(KubeObject pod) {
    String index = Objects.requireNonNullElse(pod.annotation(Names.COMPLETION_INDEX), "");
    return INDEX.matcher(index).matches() ? Integer.valueOf(index) : null;
  }

  private static List<ContainerAttemptView> ofContainer(
      KubeObject pod, JsonNode status, boolean isMain) {
    String name = text(status, "name");
    Integer restarts = Json.integer(status, "restartCount");
    int count = restarts == null ? 0 : restarts;
    ObjectNode state = Json.objectAt(status, "state");
    ObjectNode last = Json.objectAt(Json.objectAt(status, "lastState"), "terminated");
    List<ContainerAttemptView> runs = new ArrayList<>();
    if (last != null && count > 0) {
      runs.add(
          endedAttempt(new AttemptKey(pod, name, run(text(last, "containerID"), count - 1)), last));
    }
    ObjectNode terminated = Json.objectAt(state, "terminated");
    ObjectNode running = Json.objectAt(state, "running");
    ObjectNode waiting = Json.objectAt(state, "waiting");
    AttemptKey key = new AttemptKey(pod, name, run(text(status, "containerID"), count));
    if (terminated != null) {
      runs.add(ofPod(endedAttempt(key, terminated), pod, isMain));
    } else if (running != null) {
      runs.add(
          key.attempt()
              .withState(State.RUNNING)
              .withStart(Timestamps.parse(Json.text(running, "startedAt"))));
    } else if (runs.isEmpty()) {
      runs.add(waiting(pod, key, waiting));
    }
    return runs;
  }

  private record AttemptKey(KubeObject pod, String container, int run) {
    ContainerAttemptView attempt() {
      return ContainerAttemptView.unnumbered(index(pod), pod.name(), container, run);
    }
  }

  private static ContainerAttemptView waiting(
      KubeObject pod, AttemptKey key, @Nullable ObjectNode waiting) {
    if (PodPhase.of(pod) == PodPhase.Failed) {
      return failed(key.attempt(), pod);
    }
    ObjectNode why = waiting == null ? PodScheduled.refusal(pod) : waiting;
    ContainerAttemptView attempt = key.attempt().withState(State.WAITING);
    return why == null
        ? attempt
        : attempt.withReason(text(why, "reason")).withMessage(text(why, "message"));
  }

  private static ContainerAttemptView neverStarted(KubeObject pod) {
    JsonNode containers = Json.arrayAt(pod.spec(), "containers");
    String first =
        containers == null || containers.isEmpty() ? "" : text(containers.get(0), "name");
    return waiting(pod, new AttemptKey(pod, first, 0), null);
  }

  private static ContainerAttemptView failed(ContainerAttemptView attempt, KubeObject pod) {
    ObjectNode status = pod.status();
    return attempt.withEnd(null, null, text(status, "reason"), text(status, "message"), null);
  }

  /**
   * Returns an attempt as failed for the reason of its pod, if the pod failed as a whole and the
   * container, as one of the last to end, only followed. Its exit code may be 0 then: a command
   * that handles SIGTERM ends like that, its work not done.
   */
  private static ContainerAttemptView ofPod(
      ContainerAttemptView ended, KubeObject pod, boolean isMain) {
    ObjectNode status = pod.status();
    String reason = text(status, "reason");
    boolean isUnexplained =
        UNEXPLAINED.contains(ended.reason()) || isMain && ended.state() == State.SUCCEEDED;
    boolean onlyFollowed =
        PodPhase.of(pod) == PodPhase.Failed
            && !reason.isEmpty()
            && isUnexplained
            && isLastToEnd(ended, status);
    return onlyFollowed ? ended.asFailed(reason, text(status, "message")) : ended;
  }

  private static boolean isLastToEnd(ContainerAttemptView ended, @Nullable ObjectNode status) {
    JsonNode containers = Json.arrayAt(status, MAIN);
    for (int i = 0; containers != null && i < containers.size(); i++) {
      JsonNode terminated = containers.get(i).path("state").path("terminated");
      Instant end = Timestamps.parse(Json.text(terminated, "finishedAt"));
      if (end != null && ended.finishedAt() != null && end.isAfter(ended.finishedAt())) {
        return false;
      }
    }
    return true;
  }

  /** Returns when a container began; null if it never did, which containerd tells as 1970. */
  private static @Nullable Instant start(ObjectNode terminated) {
    Instant started = Timestamps.parse(Json.text(terminated, "startedAt"));
    return Instant.EPOCH.equals(started) ? null : started;
  }

  private static ContainerAttemptView endedAttempt(AttemptKey key, ObjectNode terminated) {
    boolean isKnown = !text(terminated, "reason").equals(UNKNOWN);
    return key.attempt()
        .withStart(start(terminated))
        .withEnd(
            isKnown ? Json.integer(terminated, "exitCode") : null,
            Json.integer(terminated, "signal"),
            text(terminated, "reason"),
            text(terminated, "message"),
            Timestamps.parse(Json.text(terminated, "finishedAt")));
  }

  private static int run(String containerId, int otherwise) {
    Matcher ours = OURS.matcher(containerId);
    return ours.matches() ? Integer.parseInt(ours.group(1)) : otherwise;
  }

  private static String text(@Nullable JsonNode tree, String member) {
    String found = Json.text(tree, member);
    return found == null ? "" : found;
  }
}
