package dev.stint.controllers;

import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.job.JobStatus;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The names of one Job's pods. They look as random as Kubernetes' own, but follow from the Job as
 * it is stored, so that two controllers that decide on the same state ask for the same names, and
 * the API grants each only once (decision 17).
 */
final class PodNames {
  private final Set<String> used = new HashSet<>();

  /** A pod of that name is there, whosever it is. */
  void put(String name) {
    used.add(name);
  }

  /** The pod of that name is gone. */
  void remove(String name) {
    used.remove(name);
  }

  /**
   * The names for one plan. A spec that changes, and each pod that is counted, leads to others, so
   * that those of pods that are gone do not come again.
   */
  Choice choice(KubeObject job, JobStatus stored) {
    long seed = job.uid().hashCode();
    for (long part : new long[] {job.generation(), stored.succeeded(), stored.failed()}) {
      seed = mixed(seed, part);
    }
    return new Choice(seed);
  }

  private static long mixed(long seed, long part) {
    return new SplittableRandom(seed ^ part).nextLong();
  }

  /** The names that one plan gives. */
  final class Choice {
    private final long seed;
    private final Set<String> given = new HashSet<>();
    private final Map<Integer, Integer> tries = new HashMap<>();

    private Choice(long seed) {
      this.seed = seed;
    }

    /** The name is given already. */
    void give(String name) {
      given.add(name);
    }

    /** The first name for a pod of the index that nobody has. */
    String next(String prefix, int index) {
      long ofIndex = mixed(seed, index);
      while (true) {
        int attempt = tries.merge(index, 1, Integer::sum);
        String name = Names.generated(prefix, new SplittableRandom(mixed(ofIndex, attempt)));
        if (!used.contains(name) && given.add(name)) {
          return name;
        }
      }
    }
  }
}
