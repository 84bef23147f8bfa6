package dev.stint.controllers.job;

import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.job.JobStatus;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The names of one Job's pods. They look as random as Kubernetes' own, but are derived from the
 * stored Job. Two controllers that decide on the same state thus ask for the same names, and the
 * API grants each name only once (decision 17).
 */
final class PodNameGenerator {
  private final Set<String> used = new HashSet<>();

  /**
   * The names of pods that were deleted since the seed last changed: the seed would lead to them
   * again.
   */
  private final Set<String> gone = new HashSet<>();

  private long latest;

  /** Records that a pod with that name exists, whoever owns it. */
  void put(String name) {
    used.add(name);
  }

  /** Records that the pod with that name is gone. */
  void remove(String name) {
    if (used.remove(name)) {
      gone.add(name);
    }
  }

  /**
   * Returns the names for one plan. A changed spec, and each pod that is counted, leads to other
   * names, so the names of deleted pods do not come again. The names of pods that were deleted
   * uncounted are remembered for as long as they could.
   */
  Choice choice(KubeObject job, JobStatus stored) {
    long seed = mixed(0, job.uid().hashCode());
    for (long part : new long[] {job.generation(), stored.succeeded(), stored.failed()}) {
      seed = mixed(seed, part);
    }
    if (seed != latest) {
      latest = seed;
      gone.clear();
    }
    return new Choice(seed);
  }

  private static long mixed(long seed, long part) {
    return new SplittableRandom(seed ^ part).nextLong();
  }

  /** The names for one plan. */
  final class Choice {
    private final long seed;
    private final Set<String> given = new HashSet<>();
    private final Map<Integer, Integer> tries = new HashMap<>();

    private Choice(long seed) {
      this.seed = seed;
    }

    /** Marks the name as used. */
    void give(String name) {
      given.add(name);
    }

    /** Returns the first unused name for a pod of the index. */
    String next(String prefix, int index) {
      long ofIndex = mixed(seed, index);
      while (true) {
        int attempt = tries.merge(index, 1, Integer::sum);
        String name = Names.generated(prefix, new SplittableRandom(mixed(ofIndex, attempt)));
        if (!used.contains(name) && !gone.contains(name) && given.add(name)) {
          return name;
        }
      }
    }
  }
}
