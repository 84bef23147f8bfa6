package dev.stint.cli.submit;

import dev.stint.cli.file.AfterFaults;
import dev.stint.jobs.JobEdit;
import dev.stint.jobs.JobState;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.after.After;
import dev.stint.model.job.after.AfterOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Requested Jobs that start after each other, and are one piece of work. */
final class LinkedJobs {
  private final List<RequestedJob> jobs;
  private final List<KubeObject> documents;

  LinkedJobs(List<RequestedJob> jobs) {
    this.jobs = jobs;
    this.documents = jobs.stream().map(job -> KubeObject.of(job.tree())).toList();
  }

  /**
   * Returns the positions of the Jobs, predecessors first: no Job may start after one of the same
   * name that is about to be replaced.
   */
  List<Integer> order() {
    return AfterOrder.of(documents).sorted();
  }

  /** Refuses Jobs whose predecessors neither are requested nor exist. */
  List<String> missing(Predicate<ObjectRef> exists) {
    Set<ObjectRef> requested =
        jobs.stream().map(job -> ref(job, job.name())).collect(Collectors.toSet());
    return jobs.stream()
        .flatMap(job -> {
          After after = job.after();
          return after == null
              ? Stream.of()
              : after.predecessors().stream()
                  .map(each -> ref(job, each.name()))
                  .filter(ref -> !requested.contains(ref) && !exists.test(ref))
                  .map(ref ->
                      AfterFaults.line(
                          job.document(),
                          "Job \"%s\" is neither in these files nor in namespace %s"
                              .formatted(ref.name(), ref.namespace())));
        })
        .toList();
  }

  private static ObjectRef ref(RequestedJob job, String name) {
    return new ObjectRef(Kind.JOB, job.namespace(), name);
  }

  /**
   * Returns decisions that keep what is complete: of Jobs that start after each other, those that
   * are Complete start anew only once all of them are, or if one that they start after does.
   */
  List<RunDecision> keepComplete(List<RunDecision> decisions) {
    List<RunDecision> kept = new ArrayList<>(decisions);
    for (Set<Integer> group : groups()) {
      boolean isOver =
          group.stream()
              .allMatch(each ->
                  decisions.get(each) instanceof RunDecision.StartAnew anew && isComplete(anew));
      if (group.size() > 1 && !isOver) {
        keepComplete(group, kept);
      }
    }
    return kept;
  }

  /** Decides on predecessors first: a Job that starts anew makes its followers do so. */
  private void keepComplete(Set<Integer> group, List<RunDecision> kept) {
    Map<ObjectRef, RunDecision> decided = new HashMap<>();
    for (int position : order()) {
      if (group.contains(position)) {
        RequestedJob job = jobs.get(position);
        RunDecision decision = kept.get(position);
        kept.set(position, settled(job, decision, startsAgain(job, existing(decision), decided)));
        decided.put(ref(job, job.name()), kept.get(position));
      }
    }
  }

  /** Returns the Job that has ended under this name; null if there is none. */
  private static @Nullable KubeObject existing(RunDecision decision) {
    return switch (decision) {
      case RunDecision.StartAnew(KubeObject job, _) -> job;
      case RunDecision.Report(KubeObject job) -> job;
      default -> null;
    };
  }

  /**
   * @param ended the Job that has ended under this name; null if there is none
   */
  private static boolean startsAgain(
      RequestedJob job, @Nullable KubeObject ended, Map<ObjectRef, RunDecision> decided) {
    After after = job.after();
    return after != null
        && after.predecessors().stream()
            .anyMatch(each -> {
              RunDecision decision = decided.get(ref(job, each.name()));
              return decision != null && isNew(decision, each.until(), ended);
            });
  }

  /**
   * True if a Job runs that its complete followers have not seen. They may have seen one that
   * failed if they wait for its end, whatever that is.
   */
  private static boolean isNew(
      RunDecision decision, After.Until until, @Nullable KubeObject follower) {
    return switch (decision) {
      case RunDecision.Create _ -> true;
      case RunDecision.StartAnew anew -> until != After.Until.FINISHED || isComplete(anew);
      case RunDecision.Resume(JobEdit edit, boolean _) ->
          until != After.Until.FINISHED && isAfterEndOf(edit.job(), follower);
      case RunDecision.Continue _ -> until != After.Until.FINISHED;
      case RunDecision.Report _, RunDecision.Done _, RunDecision.Refuse _ -> false;
    };
  }

  /** True if a Job was created after another had ended, which so has seen one before it. */
  private static boolean isAfterEndOf(KubeObject job, @Nullable KubeObject follower) {
    Instant created = job.creationTimestamp();
    Instant ended = follower == null ? null : JobStatus.read(follower.status()).completionTime();
    return created != null && ended != null && created.isAfter(ended);
  }

  private static RunDecision settled(RequestedJob requested, RunDecision decision, boolean again) {
    return switch (decision) {
      case RunDecision.StartAnew anew
          when !again && isComplete(anew) && FileRules.isSame(requested, anew.replaced()) ->
          new RunDecision.Done(
              anew.replaced(),
              "is Complete, and stays, as Jobs with it are not; --fresh runs it again");
      case RunDecision.Report(KubeObject job) when again && JobState.of(job) == JobState.COMPLETE ->
          new RunDecision.StartAnew(job, "starts anew, as a Job does that it starts after");
      default -> decision;
    };
  }

  private static boolean isComplete(RunDecision.StartAnew decision) {
    return JobState.of(decision.replaced()) == JobState.COMPLETE;
  }

  /** Returns the sets of positions of Jobs that are linked, directly or by others. */
  private List<Set<Integer>> groups() {
    List<Set<Integer>> groups = new ArrayList<>();
    List<Set<Integer>> predecessors = AfterOrder.predecessors(documents);
    for (int position = 0; position < jobs.size(); position++) {
      Set<Integer> group = new HashSet<>(predecessors.get(position));
      group.add(position);
      List<Set<Integer>> linked =
          groups.stream().filter(other -> !Collections.disjoint(other, group)).toList();
      linked.forEach(group::addAll);
      groups.removeAll(linked);
      groups.add(group);
    }
    return groups;
  }
}
