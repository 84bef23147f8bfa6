package dev.stint.cli.submit;

import dev.stint.cli.file.AfterFaults;
import dev.stint.jobs.JobState;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.after.After;
import dev.stint.model.job.after.AfterOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
   * are Complete start anew only once all of them are.
   */
  List<RunDecision> keepComplete(List<RunDecision> decisions) {
    List<RunDecision> kept = new ArrayList<>(decisions);
    for (Set<Integer> group : groups()) {
      boolean isOver = group.stream().allMatch(each -> isComplete(decisions.get(each)));
      if (group.size() > 1 && !isOver) {
        group.stream()
            .filter(
                each -> isComplete(decisions.get(each)) && isUnchanged(each, decisions.get(each)))
            .forEach(each -> kept.set(each, done(decisions.get(each))));
      }
    }
    return kept;
  }

  private static boolean isComplete(RunDecision decision) {
    return decision instanceof RunDecision.StartAnew(KubeObject job, String _)
        && JobState.of(job) == JobState.COMPLETE;
  }

  private boolean isUnchanged(int position, RunDecision decision) {
    return decision instanceof RunDecision.StartAnew(KubeObject job, String _)
        && FileRules.isSame(jobs.get(position), job);
  }

  private static RunDecision done(RunDecision decision) {
    return decision instanceof RunDecision.StartAnew(KubeObject job, String _)
        ? new RunDecision.Done(
            job, "is Complete, and stays, as Jobs with it are not; --fresh runs it again")
        : decision;
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
