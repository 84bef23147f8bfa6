package dev.stint.apiserver.table;

import dev.stint.model.Timestamps;
import dev.stint.model.field.FieldPath;
import dev.stint.model.pod.PodPhase;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of a pod in {@code kubectl get pods}: one word derived from its phase, its conditions
 * and the states of its containers.
 *
 * @param reason such as {@code Running}, {@code Init:0/1}, {@code CrashLoopBackOff}
 * @param ready the number of ready containers
 * @param containers the number of containers that should keep running: sidecars count, other init
 *     containers don't
 * @param lastRestart the end of the latest run that was followed by a restart; null for never or
 *     unknown
 */
record PodState(
    String reason, long ready, long containers, long restarts, @Nullable Instant lastRestart) {
  static PodState of(FieldPath pod) {
    List<FieldPath> initStatuses = pod.get("status", "initContainerStatuses").items();
    List<FieldPath> statuses = pod.get("status", "containerStatuses").items();
    Set<String> sidecars = sidecars(pod);
    String init = initReason(pod, initStatuses, sidecars);
    boolean starting = init != null && !isTrue(pod, "Initialized");
    List<FieldPath> lasting = initStatuses.stream().filter(s -> isSidecar(s, sidecars)).toList();
    List<FieldPath> counted =
        starting ? initStatuses : Stream.concat(lasting.stream(), statuses.stream()).toList();
    long ready =
        lasting.stream().filter(s -> s.get("started").isTrue() && s.get("ready").isTrue()).count()
            + (starting ? 0 : statuses.stream().filter(PodState::isReady).count());
    return new PodState(
        reason(pod, init, starting, statuses),
        ready,
        pod.get("spec", "containers").items().size() + sidecars.size(),
        counted.stream().mapToLong(s -> s.get("restartCount").count()).sum(),
        lastRestart(counted));
  }

  String readyText() {
    return ready + "/" + containers;
  }

  String restartsText(Instant now) {
    return restarts > 0 && lastRestart != null
        ? "%d (%s ago)".formatted(restarts, AgeFormat.since(lastRestart, now))
        : Long.toString(restarts);
  }

  /** True if one of the pod's conditions is {@code True}. */
  static boolean isTrue(FieldPath pod, String type) {
    return pod.get("status", "conditions").items().stream()
        .anyMatch(c -> c.get("type").text().equals(type) && c.get("status").text().equals("True"));
  }

  private static String reason(
      FieldPath pod, @Nullable String init, boolean starting, List<FieldPath> statuses) {
    String phase = pod.get("status", "phase").text();
    String why = pod.get("status", "reason").text();
    boolean deleted = pod.get("metadata", "deletionTimestamp").exists();
    if (deleted && why.equals("NodeLost")) {
      return "Unknown";
    }
    if (deleted && !PodPhase.of(phase).isTerminal()) {
      return "Terminating";
    }
    String given = !why.isEmpty() ? why : isGated(pod) ? "SchedulingGated" : phase;
    String before = init == null ? given : init;
    return starting ? before : mainReason(pod, before, statuses);
  }

  private static boolean isGated(FieldPath pod) {
    return pod.get("status", "conditions").items().stream()
        .anyMatch(c ->
            c.get("type").text().equals("PodScheduled")
                && c.get("reason").text().equals("SchedulingGated"));
  }

  /** Returns the reason of the first container that has a reason for not running. */
  private static String mainReason(FieldPath pod, String before, List<FieldPath> statuses) {
    String reason =
        statuses.stream()
            .map(PodState::containerReason)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(before);
    if (reason.equals("Completed") && statuses.stream().anyMatch(PodState::isReady)) {
      return isTrue(pod, "Ready") ? "Running" : "NotReady";
    }
    return reason;
  }

  private static @Nullable String containerReason(FieldPath status) {
    String waiting = status.get("state", "waiting", "reason").text();
    if (!waiting.isEmpty()) {
      return waiting;
    }
    FieldPath terminated = status.get("state", "terminated");
    return terminated.exists() ? endReason(terminated) : null;
  }

  private static String endReason(FieldPath terminated) {
    if (!terminated.get("reason").isEmpty()) {
      return terminated.get("reason").text();
    }
    long signal = terminated.get("signal").count();
    return signal != 0 ? "Signal:" + signal : "ExitCode:" + terminated.get("exitCode").count();
  }

  /** Returns the state of the first init container that is not done; null if all are. */
  private static @Nullable String initReason(
      FieldPath pod, List<FieldPath> statuses, Set<String> sidecars) {
    for (int i = 0; i < statuses.size(); i++) {
      FieldPath status = statuses.get(i);
      FieldPath terminated = status.get("state", "terminated");
      boolean through =
          terminated.exists() && terminated.get("exitCode").count() == 0
              || isSidecar(status, sidecars) && status.get("started").isTrue();
      if (!through) {
        String waiting = status.get("state", "waiting", "reason").text();
        int all = pod.get("spec", "initContainers").items().size();
        return "Init:"
            + (terminated.exists()
                ? endReason(terminated)
                : waiting.isEmpty() || waiting.equals("PodInitializing") ? i + "/" + all : waiting);
      }
    }
    return null;
  }

  private static boolean isReady(FieldPath status) {
    return status.get("ready").isTrue() && status.get("state", "running").exists();
  }

  private static boolean isSidecar(FieldPath status, Set<String> sidecars) {
    return sidecars.contains(status.get("name").text());
  }

  /** Returns the init containers that keep running beside the others. */
  private static Set<String> sidecars(FieldPath pod) {
    Set<String> names = new HashSet<>();
    pod.get("spec", "initContainers").items().stream()
        .filter(c -> c.get("restartPolicy").text().equals("Always"))
        .forEach(c -> names.add(c.get("name").text()));
    return names;
  }

  private static @Nullable Instant lastRestart(List<FieldPath> statuses) {
    return statuses.stream()
        .map(s -> Timestamps.parse(s.get("lastState", "terminated", "finishedAt").text()))
        .filter(Objects::nonNull)
        .max(Instant::compareTo)
        .orElse(null);
  }
}
