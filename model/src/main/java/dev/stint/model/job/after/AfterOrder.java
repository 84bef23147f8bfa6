package dev.stint.model.job.after;

import dev.stint.model.KubeObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The order of Jobs that start after each other.
 *
 * @param sorted the positions of the Jobs, each after those of its predecessors; without those that
 *     wait for a cycle
 * @param cycle the position of a Job that waits for itself, and those of the Jobs that it waits for
 *     in turn; empty if there is no cycle
 */
public record AfterOrder(List<Integer> sorted, List<Integer> cycle) {
  /** Returns the order of some Jobs; predecessors that are not among them do not count. */
  public static AfterOrder of(List<KubeObject> jobs) {
    List<Set<Integer>> predecessors = predecessors(jobs);
    List<List<Integer>> followers =
        jobs.stream().map(_ -> (List<Integer>) new ArrayList<Integer>()).toList();
    int[] open = new int[jobs.size()];
    Deque<Integer> free = new ArrayDeque<>();
    for (int i = 0; i < open.length; i++) {
      open[i] = predecessors.get(i).size();
      for (int predecessor : predecessors.get(i)) {
        followers.get(predecessor).add(i);
      }
      if (open[i] == 0) {
        free.add(i);
      }
    }
    List<Integer> sorted = new ArrayList<>();
    while (!free.isEmpty()) {
      int next = free.removeFirst();
      sorted.add(next);
      followers.get(next).stream().filter(each -> --open[each] == 0).forEach(free::add);
    }
    return new AfterOrder(List.copyOf(sorted), cycle(open, predecessors));
  }

  /**
   * Returns, for each Job, the positions of its predecessors among these Jobs. Of Jobs of the same
   * name, the last one counts.
   */
  public static List<Set<Integer>> predecessors(List<KubeObject> jobs) {
    Map<String, Integer> positions = new HashMap<>();
    for (int i = 0; i < jobs.size(); i++) {
      positions.put(key(jobs.get(i), jobs.get(i).name()), i);
    }
    return jobs.stream()
        .map(job -> {
          Set<Integer> found = new LinkedHashSet<>();
          After after = After.of(job);
          if (after != null) {
            after.predecessors().stream()
                .map(each -> positions.get(key(job, each.name())))
                .filter(Objects::nonNull)
                .forEach(found::add);
          }
          return found;
        })
        .toList();
  }

  private static String key(KubeObject job, String name) {
    return job.namespace() + "/" + name;
  }

  /** Follows Jobs that wait, to the first one that is met again. */
  private static List<Integer> cycle(int[] open, List<Set<Integer>> predecessors) {
    int first = 0;
    while (first < open.length && open[first] == 0) {
      first++;
    }
    if (first == open.length) {
      return List.of();
    }
    List<Integer> path = new ArrayList<>();
    int at = first;
    while (!path.contains(at)) {
      path.add(at);
      at = predecessors.get(at).stream().filter(each -> open[each] > 0).findFirst().orElseThrow();
    }
    List<Integer> cycle = new ArrayList<>(path.subList(path.indexOf(at), path.size()));
    Collections.rotate(cycle, -cycle.indexOf(Collections.min(cycle)));
    return List.copyOf(cycle);
  }
}
