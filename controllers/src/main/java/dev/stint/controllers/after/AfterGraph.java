package dev.stint.controllers.after;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.ResourceVersions;
import dev.stint.model.job.after.After;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All Jobs, as far as they concern others: their states, and which of them wait for which. */
final class AfterGraph {
  /** The number of Jobs that a search for a cycle looks at. */
  private static final int MOST_SEARCHED = 1000;

  /** A Job that exists. */
  private record Known(String uid, ObservedJob job) {
    PredecessorState state() {
      return job.state();
    }
  }

  /** A Job that starts after others, and is not done with that. */
  record Dependant(KubeObject job, After after) {
    ObjectRef predecessor(String name) {
      return new ObjectRef(Kind.JOB, job.namespace(), name);
    }
  }

  private final Map<ObjectRef, Known> known = new HashMap<>();
  private final Map<String, ObjectRef> refs = new HashMap<>();
  private final Map<String, Dependant> dependants = new HashMap<>();

  /** The uids of the dependants of each Job. */
  private final Map<ObjectRef, Set<String>> followers = new HashMap<>();

  /** The Jobs that ended and are gone, by the uids of the dependants that waited for them. */
  private final Map<String, Map<ObjectRef, ObservedJob>> gone = new HashMap<>();

  /** Records a Job; returns the uids of dependants that are to be looked at again. */
  Set<String> put(KubeObject job) {
    Set<String> after = followers.getOrDefault(job.ref(), Set.of());
    Set<String> byIndex = new HashSet<>(after);
    byIndex.removeIf(uid -> !isByIndex(uid));
    ObservedJob seen = ObservedJob.stateOnly(job);
    if (seen.state().hasEnded() && !byIndex.isEmpty()) {
      seen = ObservedJob.withIndexes(job); // It may be deleted before they are read.
    }
    Known before = known.put(job.ref(), new Known(job.uid(), seen));
    refs.put(job.uid(), job.ref());
    boolean same =
        before != null && before.state() == seen.state() && before.uid().equals(job.uid());
    return same ? byIndex : Set.copyOf(after);
  }

  private boolean isByIndex(String uid) {
    Dependant dependant = dependants.get(uid);
    return dependant != null && dependant.after().isByIndex();
  }

  /** Records that a Job is gone; returns the uids of its dependants, which remember its end. */
  Set<String> remove(String uid) {
    forgetDependant(uid);
    ObjectRef ref = refs.remove(uid);
    Known last = ref == null ? null : known.get(ref);
    if (ref == null || last == null || !last.uid().equals(uid)) {
      return Set.of(); // Another Job has its name already.
    }
    known.remove(ref);
    Set<String> after = Set.copyOf(followers.getOrDefault(ref, Set.of()));
    if (last.state().hasEnded()) {
      after.forEach(each -> gone.computeIfAbsent(each, _ -> new HashMap<>()).put(ref, last.job()));
    }
    return after;
  }

  /** Records a dependant, unless a newer state of it is known. */
  void putDependant(KubeObject job, After after) {
    Dependant before = dependants.get(job.uid());
    if (before != null
        && !ResourceVersions.isNewer(job.resourceVersion(), before.job().resourceVersion())) {
      return;
    }
    unfollow(job.uid());
    Dependant dependant = new Dependant(job, after);
    dependants.put(job.uid(), dependant);
    after
        .predecessors()
        .forEach(each ->
            followers
                .computeIfAbsent(dependant.predecessor(each.name()), _ -> new HashSet<>())
                .add(job.uid()));
  }

  /** Records that a Job waits for no others any more. */
  void forgetDependant(String uid) {
    unfollow(uid);
    gone.remove(uid);
  }

  private void unfollow(String uid) {
    Dependant dependant = dependants.remove(uid);
    if (dependant != null) {
      dependant.after().predecessors().stream()
          .map(each -> dependant.predecessor(each.name()))
          .forEach(ref ->
              followers.computeIfPresent(
                  ref, (_, uids) -> uids.remove(uid) && uids.isEmpty() ? null : uids));
    }
  }

  @Nullable Dependant dependant(String uid) {
    return dependants.get(uid);
  }

  /** Returns a predecessor of a dependant: the Job that exists, or else the one that did. */
  ObservedJob observed(Dependant dependant, String name) {
    ObjectRef ref = dependant.predecessor(name);
    Known found = known.get(ref);
    return found == null
        ? gone.getOrDefault(dependant.job().uid(), Map.of()).getOrDefault(ref, ObservedJob.NONE)
        : found.job();
  }

  /**
   * Returns the names of Jobs that wait for each other, beginning and ending with this one; empty
   * if it is in no such cycle, as far as a bounded search finds.
   */
  List<String> cycle(Dependant start) {
    Map<ObjectRef, ObjectRef> cameFrom = new HashMap<>();
    Deque<Dependant> open = new ArrayDeque<>(List.of(start));
    while (!open.isEmpty() && cameFrom.size() < MOST_SEARCHED) {
      Dependant at = open.removeFirst();
      for (After.Predecessor each : at.after().predecessors()) {
        ObjectRef next = at.predecessor(each.name());
        if (next.equals(start.job().ref())) {
          return path(start.job().ref(), at.job().ref(), cameFrom);
        }
        Dependant waiting = waiting(next);
        if (waiting != null && cameFrom.putIfAbsent(next, at.job().ref()) == null) {
          open.add(waiting);
        }
      }
    }
    return List.of();
  }

  private @Nullable Dependant waiting(ObjectRef ref) {
    Known found = known.get(ref);
    return found == null ? null : dependants.get(found.uid());
  }

  private static List<String> path(
      ObjectRef start, ObjectRef last, Map<ObjectRef, ObjectRef> cameFrom) {
    List<String> names = new ArrayList<>(List.of(start.name()));
    for (ObjectRef at = last; at != null && !at.equals(start); at = cameFrom.get(at)) {
      names.add(at.name());
    }
    names.add(start.name());
    Collections.reverse(names);
    return names;
  }
}
