package dev.stint.testkit;

import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An object as it is now, in a few lines for the message of a test that failed. */
final class State {
  private static final int SHOWN = 20;

  private State() {}

  /** Lines that each start with a line break. */
  static String of(Jobs jobs, ObjectRef ref) {
    try {
      KubeObject object = Jobs.answer(jobs.cluster().get(ref));
      return ref.kind().equals(Kind.JOB)
          ? job(object) + pods(jobs.pods(ref)) + events(jobs, ref)
          : line("status", String.valueOf(object.status()));
    } catch (ClusterException refusal) {
      return line("state", String.valueOf(refusal.getMessage()));
    }
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
    return line("counts", counts) + line("conditions", joined(conditions(status)));
  }

  private static Stream<String> conditions(JobStatus status) {
    return status.conditions().stream().filter(JobCondition::status).map(State::condition);
  }

  private static String condition(JobCondition condition) {
    return condition.type() + " (" + condition.reason() + ": " + condition.message() + ")";
  }

  private static String pods(List<KubeObject> pods) {
    return line(
        "pods (" + pods.size() + ")",
        joined(
            pods.stream()
                .limit(SHOWN)
                .map(pod -> pod.name() + " " + Json.text(pod.status(), "phase"))));
  }

  private static String events(Jobs jobs, ObjectRef ref) {
    List<KubeObject> events =
        Jobs.answer(jobs.cluster().list(Kind.EVENT, ref.namespace())).items().stream()
            .filter(event -> isAbout(event, ref))
            .toList();
    return line(
        "last events",
        joined(events.stream().skip(Math.max(0, events.size() - SHOWN)).map(State::event)));
  }

  private static boolean isAbout(KubeObject event, ObjectRef ref) {
    return ref.name().equals(Json.text(event.tree().get("involvedObject"), "name"));
  }

  private static String event(KubeObject event) {
    return Json.text(event.tree(), "reason") + ": " + Json.text(event.tree(), "message");
  }

  private static String joined(Stream<String> parts) {
    return parts.collect(Collectors.collectingAndThen(Collectors.joining(", "), State::orNone));
  }

  private static String orNone(String text) {
    return text.isEmpty() ? "none" : text;
  }

  private static String line(String what, String text) {
    return "\n  " + what + ": " + text;
  }
}
