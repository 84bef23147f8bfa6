package dev.stint.cli.report;

import dev.stint.jobs.DisplayText;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.PodAttempts;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.pod.PodPhase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Explains why pods failed, as far as their statuses say. */
public final class FailedPods {
  private static final int MOST = 5;
  private static final int LONGEST_ITEM = 60;

  /** Reasons that add nothing to the exit code. */
  private static final Set<String> SAYS_NOTHING = Set.of("", "Error", "Completed", "StartError");

  private FailedPods() {}

  /**
   * A pod that failed.
   *
   * @param lines why it failed
   */
  public record Failure(KubeObject pod, List<String> lines) {
    /** Returns the completion index; null if the pod has none. */
    public @Nullable String index() {
      return pod.annotation(Names.COMPLETION_INDEX);
    }

    /** Returns the attempts that failed, the last of each container. */
    public List<ContainerAttemptView> attempts() {
      List<ContainerAttemptView> all = PodAttempts.of(pod);
      return all.stream()
          .filter(each -> each.state() == ContainerAttemptView.State.FAILED)
          .filter(each ->
              all.stream()
                  .noneMatch(other ->
                      other.container().equals(each.container()) && other.run() > each.run()))
          .toList();
    }
  }

  /** Returns the last pods that failed, a few at most, each index once, the newest first. */
  public static List<Failure> last(List<KubeObject> pods) {
    return last(pods, _ -> Optional.empty());
  }

  /**
   * Returns the last pods that failed, with what their indexes work on.
   *
   * @param items returns the item of an index, for people
   */
  public static List<Failure> last(List<KubeObject> pods, IntFunction<Optional<String>> items) {
    Set<String> seen = new HashSet<>();
    return pods.stream()
        .sorted(Comparator.comparing(FailedPods::end).reversed())
        .map(pod -> new Failure(pod, of(pod, items)))
        .filter(failure -> !failure.lines().isEmpty())
        .filter(
            failure -> seen.add(Objects.requireNonNullElse(failure.index(), failure.pod().name())))
        .limit(MOST)
        .toList();
  }

  private static Instant end(KubeObject pod) {
    return PodAttempts.of(pod).stream()
        .map(ContainerAttemptView::finishedAt)
        .filter(Objects::nonNull)
        .max(Comparator.naturalOrder())
        .orElse(Instant.MIN);
  }

  /**
   * Returns the reason of the pod, or else those of its containers. If the pod failed as a whole,
   * its containers only followed. Sidecars end by a signal when their pod does, so the other
   * containers go first.
   */
  private static List<String> of(KubeObject pod, IntFunction<Optional<String>> items) {
    String name = name(pod, items);
    List<String> found = ofPod(pod, name);
    for (String list : List.of("containerStatuses", "initContainerStatuses")) {
      if (found.isEmpty()) {
        found = ofContainers(pod, name, list);
      }
    }
    return found;
  }

  private static List<String> ofContainers(KubeObject pod, String name, String member) {
    List<String> lines = new ArrayList<>();
    JsonNode containers = Json.arrayAt(pod.status(), member);
    for (int i = 0; containers != null && i < containers.size(); i++) {
      String line = line(name, containers.get(i));
      if (line != null) {
        lines.add(line);
      }
    }
    return lines;
  }

  private static List<String> ofPod(KubeObject pod, String name) {
    String reason = text(pod.status(), "reason");
    String message = text(pod.status(), "message");
    boolean failed = PodPhase.of(pod) == PodPhase.Failed;
    return failed && !message.isEmpty()
        ? List.of(name + ": " + (reason.isEmpty() ? "" : reason + ": ") + message)
        : List.of();
  }

  private static @Nullable String line(String name, JsonNode container) {
    ObjectNode terminated = Json.objectAt(Json.objectAt(container, "state"), "terminated");
    Integer code = Json.integer(terminated, "exitCode");
    if (code == null || code == 0) {
      return null;
    }
    String reason = text(terminated, "reason");
    String message = text(terminated, "message");
    return name
        + ": container "
        + Json.text(container, "name")
        + " exited with "
        + code
        + (SAYS_NOTHING.contains(reason) ? "" : " (" + reason + ")")
        + (message.isEmpty() ? "" : ": " + message.strip().lines().findFirst().orElse(""));
  }

  private static String text(@Nullable JsonNode parent, String member) {
    return Objects.requireNonNullElse(Json.text(parent, member), "");
  }

  private static String name(KubeObject pod, IntFunction<Optional<String>> items) {
    String index = pod.annotation(Names.COMPLETION_INDEX);
    if (index == null) {
      return "pod " + pod.name();
    }
    String item =
        items
            .apply(Integer.parseInt(index))
            .map(text -> " (" + DisplayText.cut(text, LONGEST_ITEM) + ")")
            .orElse("");
    return "index " + index + item + ", pod " + pod.name();
  }
}
