package dev.stint.testkit;

import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.model.pod.PodPhase;
import dev.stint.testkit.time.BlockingAnswers;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A short description of an object's current state, for the message of a failed test. */
final class ObjectSummary {
  private static final int SHOWN = 20;

  private ObjectSummary() {}

  /** Returns the lines, each of which starts with a line break. */
  static String of(Jobs jobs, ObjectRef ref) {
    try {
      KubeObject object = BlockingAnswers.of(jobs.cluster().get(ref));
      return ref.kind().equals(Kind.JOB)
          ? job(object) + pods(jobs, ref) + lastEvents(jobs, ref)
          : line("status", String.valueOf(object.status()));
    } catch (ClusterException refusal) {
      return line("state", String.valueOf(refusal.getMessage()));
    }
  }

  /** Returns an object's events as {@code reason: message}, oldest first. */
  static List<String> events(Jobs jobs, ObjectRef ref) {
    return BlockingAnswers.of(jobs.cluster().list(Kind.EVENT, ref.namespace())).items().stream()
        .filter(event -> isAbout(event, ref))
        .sorted(Comparator.comparingLong(event -> Long.parseLong(event.resourceVersion())))
        .map(ObjectSummary::event)
        .toList();
  }

  private static String job(KubeObject job) {
    JobStatus status = JobStatus.read(job.status());
    String counts =
        "active %d, ready %s, terminating %s, succeeded %d, failed %d"
            .formatted(
                status.active(),
                status.ready(),
                status.terminating(),
                status.succeeded(),
                status.failed());
    return line("counts", counts) + indexes(status) + line("conditions", conditions(status));
  }

  private static String indexes(JobStatus status) {
    IndexSet failed = status.failedIndexes();
    boolean none = status.completedIndexes().isEmpty() && (failed == null || failed.isEmpty());
    String text = "completed " + orNone(status.completedIndexes().toString());
    return none
        ? ""
        : line("indexes", failed == null ? text : text + "; failed " + orNone(failed.toString()));
  }

  private static String conditions(JobStatus status) {
    return joined(
        status.conditions().stream().filter(JobCondition::isTrue).map(ObjectSummary::condition));
  }

  private static String condition(JobCondition condition) {
    return condition.type() + " (" + condition.reason() + ": " + condition.message() + ")";
  }

  private static String pods(Jobs jobs, ObjectRef job) {
    List<KubeObject> pods =
        BlockingAnswers.of(jobs.cluster().list(Kind.POD, job.namespace())).items().stream()
            .filter(pod -> job.name().equals(pod.label(Names.JOB_NAME)))
            .sorted(Comparator.comparing(KubeObject::name))
            .toList();
    return line(
        "pods (" + pods.size() + ")", joined(pods.stream().limit(SHOWN).map(ObjectSummary::pod)));
  }

  private static String pod(KubeObject pod) {
    String phase = pod.name() + " " + Json.text(pod.status(), "phase");
    JsonNode containers = Json.arrayAt(pod.status(), "containerStatuses");
    if (containers == null || PodPhase.of(pod) != PodPhase.Failed) {
      return phase;
    }
    return phase
        + containers
            .valueStream()
            .map(container -> container.at("/state/terminated/exitCode").asString())
            .collect(Collectors.joining(", ", " (exit code ", ")"));
  }

  private static String lastEvents(Jobs jobs, ObjectRef ref) {
    List<String> events = events(jobs, ref);
    return line("last events", joined(events.stream().skip(Math.max(0, events.size() - SHOWN))));
  }

  private static boolean isAbout(KubeObject event, ObjectRef ref) {
    return ref.name().equals(Json.text(event.tree().get("involvedObject"), "name"))
        && ref.kind().kind().equals(Json.text(event.tree().get("involvedObject"), "kind"));
  }

  private static String event(KubeObject event) {
    return Json.text(event.tree(), "reason") + ": " + Json.text(event.tree(), "message");
  }

  private static String joined(Stream<String> parts) {
    return orNone(parts.collect(Collectors.joining(", ")));
  }

  private static String orNone(String text) {
    return text.isEmpty() ? "none" : text;
  }

  private static String line(String what, String text) {
    return "\n  " + what + ": " + text;
  }
}
