package dev.stint.simulation;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.KubeObject;
import dev.stint.model.job.PodFailurePolicy.Action;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A second implementation of the rules, literally from the documents: the code under test must not
 * be asked.
 */
final class Oracle {
  private Oracle() {}

  /** Returns the action for a pod's failure (KEP-3329); Count if no rule matches. */
  static Action meaning(KubeObject job, KubeObject pod, FeatureGates gates) {
    boolean failed =
        pod.tree().path("status").path("phase").asString("").equals("Failed")
            || hasFailedEvicted(job, pod);
    return failed ? ruled(job, pod, gates) : Action.Count;
  }

  /** Returns the action for a pod that fails with its Job, though it may not have stopped. */
  static Action ruled(KubeObject job, KubeObject pod, FeatureGates gates) {
    JsonNode spec = job.tree().path("spec");
    if (!gates.has(Gate.JobPodFailurePolicy)) {
      return Action.Count;
    }
    boolean perIndex = spec.has("backoffLimitPerIndex") && gates.has(Gate.JobBackoffLimitPerIndex);
    for (JsonNode rule : spec.path("podFailurePolicy").path("rules")) {
      Action action = Action.valueOf(rule.path("action").asString());
      if ((action != Action.FailIndex || perIndex) && matches(rule, pod.tree().path("status"))) {
        return action;
      }
    }
    return Action.Count;
  }

  private static boolean matches(JsonNode rule, JsonNode status) {
    for (JsonNode wanted : rule.path("onPodConditions")) {
      for (JsonNode condition : status.path("conditions")) {
        if (condition.path("type").equals(wanted.path("type"))
            && condition
                .path("status")
                .asString("")
                .equals(wanted.path("status").asString("True"))) {
          return true;
        }
      }
    }
    JsonNode exit = rule.path("onExitCodes");
    for (JsonNode container : status.path("containerStatuses")) {
      int code = container.path("state").path("terminated").path("exitCode").asInt(0);
      if (exit.isObject() && code != 0 && listed(exit, code) == in(exit)) {
        return true;
      }
    }
    return false;
  }

  private static boolean in(JsonNode exit) {
    return exit.path("operator").asString("").equals("In");
  }

  private static boolean listed(JsonNode exit, int code) {
    for (JsonNode value : exit.path("values")) {
      if (value.asInt() == code) {
        return true;
      }
    }
    return false;
  }

  /** Returns the delay that a Job's own annotation gives; empty if it has none that is sound. */
  static Optional<Duration> ownDelay(KubeObject job, int failures) {
    String text = annotation(job, "pod-failure-backoff");
    String[] parts = text.split(", max ");
    return parts.length != 2
        ? Optional.empty()
        : Optional.of(delay(duration(parts[0]), duration(parts[1]), failures));
  }

  /** Returns the time in which the pods of a Job have to start; empty if they have any. */
  static Optional<Duration> startupDeadline(KubeObject job) {
    String text = annotation(job, "startup-deadline");
    return text.isEmpty() || text.equals("0s") ? Optional.empty() : Optional.of(duration(text));
  }

  /** Returns which finished pods a Job keeps; "" for all. */
  static String keepPods(KubeObject job) {
    String text = annotation(job, "keep-pods");
    return text.equals("some") ? "" : text;
  }

  /**
   * True if a pod exited with 0 and yet has failed: its Job says so, and its end was asked for from
   * outside before, or in the same second.
   */
  static boolean hasFailedEvicted(KubeObject job, KubeObject pod) {
    JsonNode status = pod.tree().path("status");
    String end = status.at("/containerStatuses/0/state/terminated/finishedAt").asString("");
    if (!annotation(job, "evicted-is-not-done").equals("true")
        || !status.path("phase").asString("").equals("Succeeded")
        || end.isEmpty()) {
      return false;
    }
    for (JsonNode condition : status.path("conditions")) {
      if (condition.path("type").asString("").equals("DisruptionTarget")
          && !Instant.parse(condition.path("lastTransitionTime").asString())
              .isAfter(Instant.parse(end))) {
        return true;
      }
    }
    JsonNode metadata = pod.tree().path("metadata");
    String deletion = metadata.path("deletionTimestamp").asString("");
    long grace = metadata.path("deletionGracePeriodSeconds").asLong(0);
    return !deletion.isEmpty()
        && !Instant.parse(deletion).minusSeconds(grace).isAfter(Instant.parse(end));
  }

  /** Counts the restarts of a pod that are failures of its index; 0 if the Job does not say so. */
  static int failedRestarts(KubeObject job, KubeObject pod) {
    return countsRestarts(job)
        ? pod.tree().at("/status/containerStatuses/0/restartCount").asInt(0)
        : 0;
  }

  static boolean countsRestarts(KubeObject job) {
    return annotation(job, "restarts-per-index").equals("true")
        && job.tree().path("spec").has("backoffLimitPerIndex")
        && job.tree().at("/spec/template/spec/restartPolicy").asString("").equals("OnFailure");
  }

  /** Returns the limit of the only container, in mebibytes; 0 if it has none. */
  static int memory(KubeObject pod) {
    String limit = pod.tree().at("/spec/containers/0/resources/limits/memory").asString("0Mi");
    return Integer.parseInt(limit.replace("Mi", ""));
  }

  /** Returns the limit of the pod after this one, as far as it follows from it. */
  static int nextMemory(KubeObject job, KubeObject pod) {
    String ended = "/status/containerStatuses/0/state/terminated/reason";
    boolean exhausted = pod.tree().at(ended).asString("").equals("OOMKilled");
    String[] parts = annotation(job, "memory-on-oom").split(", max |Mi");
    boolean restarts =
        job.tree().at("/spec/template/spec/restartPolicy").asString("").equals("OnFailure");
    if (parts.length != 2 || !exhausted || restarts) {
      return memory(pod);
    }
    double grown = memory(pod) * Double.parseDouble(parts[0].substring(1));
    return Math.max(memory(pod), Math.min(Integer.parseInt(parts[1]), (int) Math.ceil(grown)));
  }

  /** Returns the value of an annotation of ours; "" if there is none. */
  static String annotation(KubeObject job, String name) {
    return Objects.requireNonNullElse(job.annotation("stint.dev/" + name), "");
  }

  /** Reads a duration of one unit, such as {@code 5m}. */
  private static Duration duration(String text) {
    return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
  }

  /**
   * Returns the delay after a number of failures in a row: the base, doubled each time, up to the
   * maximum.
   */
  static Duration delay(Duration base, Duration most, int failures) {
    Duration delay = failures == 0 ? Duration.ZERO : base;
    for (int i = 1; i < failures && delay.compareTo(most) < 0; i++) {
      delay = delay.multipliedBy(2);
    }
    return delay.compareTo(most) < 0 ? delay : most;
  }
}
