package dev.stint.conformance.histories;

import dev.stint.conformance.histories.HistoryAction.Verb;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Random fates of a Job and its pods, of which each is possible in the state that is seen. */
final class RandomActions {
  private final RandomGenerator random;
  private final int failureRate;
  private final boolean real;

  /**
   * @param random also says how much goes wrong in this history
   */
  RandomActions(RandomGenerator random) {
    this.random = random;
    this.failureRate = random.nextInt(10, 80);
    this.real = random.nextInt(6) == 0;
  }

  private boolean one(int in) {
    return random.nextInt(in) == 0;
  }

  /** Returns what happens next; null if nothing more can happen that matters. */
  @Nullable HistoryAction next(JobObserver observer) {
    KubeObject job = observer.job();
    List<KubeObject> pods = observer.pods();
    List<String> going = texts(pods, pod -> !hasStopped(pod) && pod.deletionTimestamp() == null);
    List<String> ending = texts(pods, pod -> pod.deletionTimestamp() != null);
    if (job != null && one(12)) {
      return patch(job);
    }
    if (job != null && one(90)) {
      return with(
          Verb.DELETE_JOB,
          List.of(),
          Json.object().put("propagation", pick("BACKGROUND", "FOREGROUND", "ORPHAN")));
    }
    if (!ending.isEmpty() && (going.isEmpty() || one(2))) {
      return ofDeleted(pods);
    }
    if (!going.isEmpty()) {
      return ofGoing(going, pods);
    }
    if (job != null && isSuspended(job) && !isFinished(job)) {
      return patch(spec -> spec.put("suspend", false));
    }
    List<String> stopped = texts(pods, RandomActions::hasStopped);
    if (!stopped.isEmpty() && one(3)) {
      return with(Verb.DELETE, List.of(pick(stopped)), Json.object().put("grace", 0));
    }
    return null;
  }

  private static boolean hasStopped(KubeObject pod) {
    String phase = pod.statusText("phase");
    return "Succeeded".equals(phase) || "Failed".equals(phase);
  }

  static boolean isFinished(KubeObject job) {
    JobStatus status = JobStatus.read(job.status());
    return status.isTrue(JobCondition.COMPLETE) || status.isTrue(JobCondition.FAILED);
  }

  private static boolean isSuspended(KubeObject job) {
    return Boolean.TRUE.equals(Json.bool(job.spec(), "suspend"));
  }

  private static List<String> texts(List<KubeObject> pods, Predicate<KubeObject> which) {
    return pods.stream().filter(which).map(PodText::of).toList();
  }

  /** The fate of a pod that is being deleted. */
  private HistoryAction ofDeleted(List<KubeObject> pods) {
    List<String> held =
        texts(
            pods,
            pod ->
                pod.deletionTimestamp() != null
                    && pod.finalizers().contains(PodText.FOREIGN_FINALIZER));
    List<String> going = texts(pods, pod -> pod.deletionTimestamp() != null && !hasStopped(pod));
    if (!going.isEmpty() && !one(4)) {
      return stop(List.of(pick(going)));
    }
    if (!held.isEmpty() && one(2)) {
      return with(Verb.RELEASE, List.of(pick(held)), Json.object());
    }
    List<String> all = texts(pods, pod -> pod.deletionTimestamp() != null);
    return with(Verb.DELETE, List.of(pick(all)), Json.object().put("grace", 0));
  }

  private HistoryAction ofGoing(List<String> going, List<KubeObject> pods) {
    List<String> some = one(4) ? several(going) : List.of(pick(going));
    return switch (random.nextInt(12)) {
      case 0, 1 -> with(Verb.RUN, some, Json.object().put("ready", !one(4)));
      case 2 -> one(2) ? with(Verb.DELETE, some, Json.object()) : evict(some);
      case 3 ->
          one(2) ? with(Verb.DELETE, some, Json.object().put("grace", 0)) : restart(going, pods);
      default -> stop(some);
    };
  }

  private HistoryAction restart(List<String> going, List<KubeObject> pods) {
    boolean mayRestart =
        pods.stream().allMatch(pod -> "OnFailure".equals(pod.specText("restartPolicy")));
    ObjectNode with = Json.object().put("ready", one(2));
    if (mayRestart) {
      with.put("restarts", random.nextInt(1, 4));
    }
    return with(Verb.RUN, List.of(pick(going)), with);
  }

  private static HistoryAction evict(List<String> pods) {
    return with(Verb.EVICT, pods, Json.object());
  }

  private HistoryAction stop(List<String> pods) {
    ObjectNode with = Json.object();
    ArrayNode exit = with.putArray("exit");
    boolean fails = random.nextInt(100) < failureRate;
    exit.add(fails ? random.nextInt(1, 6) : 0).add(fails && one(2) ? random.nextInt(1, 6) : 0);
    if (real) {
      with.put("late", true);
    }
    if (fails && one(5)) {
      with.put("condition", pick("DisruptionTarget", "DisruptionTarget", "example.com/Broken"));
    }
    return with(Verb.STOP, pods, with);
  }

  private HistoryAction patch(KubeObject job) {
    ObjectNode spec = Objects.requireNonNull(job.spec());
    return switch (random.nextInt(7)) {
      case 0, 1 -> patch(change -> change.put("suspend", !isSuspended(job)));
      case 2 -> patch(change -> change.put("backoffLimit", random.nextInt(4)));
      case 3 -> patch(change -> change.put("ttlSecondsAfterFinished", 0));
      default -> {
        int count = random.nextInt(1, 6);
        boolean elastic =
            "Indexed".equals(Json.text(spec, "completionMode"))
                && Objects.equals(
                    Json.integer(spec, "completions"), Json.integer(spec, "parallelism"));
        yield patch(change -> {
          change.put("parallelism", elastic || !one(6) ? count : 0);
          if (elastic) {
            change.put("completions", count);
          }
        });
      }
    };
  }

  private static HistoryAction patch(Consumer<ObjectNode> change) {
    ObjectNode patch = Json.object();
    change.accept(patch.putObject("spec"));
    return with(Verb.PATCH, List.of(), patch);
  }

  private static HistoryAction with(Verb verb, List<String> pods, ObjectNode details) {
    return new HistoryAction(verb, pods, details);
  }

  private List<String> several(List<String> texts) {
    List<String> left = new ArrayList<>(texts);
    List<String> some = new ArrayList<>();
    for (int count = random.nextInt(1, texts.size() + 1); count > 0; count--) {
      some.add(left.remove(random.nextInt(left.size())));
    }
    return some;
  }

  private String pick(List<String> texts) {
    return texts.get(random.nextInt(texts.size()));
  }

  private String pick(String... texts) {
    return texts[random.nextInt(texts.length)];
  }
}
