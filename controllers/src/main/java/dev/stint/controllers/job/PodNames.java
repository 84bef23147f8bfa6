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
 * The names of one Job's pods. They look as random as Kubernetes' own, but follow from the Job as
 * it is stored, so that two controllers that decide on the same state ask for the same names, and
 * the API grants each only once (decision 17).
 */
final class PodNames {
  private final Set<String> used = new HashSet<>();

  /** Names of pods that went since a plan last led to other names. */
  private final Set<String> gone = new HashSet<>();

  private long latest;

  /** A pod of that name is there, whosever it is. */
  void put(String name) {
    used.add(name);
  }

  /** The pod of that name is gone. */
  void remove(String name) {
    if (used.remove(name)) {
      gone.add(name);
    }
  }

  /**
   * The names for one plan. A spec that changes, and each pod that is counted, leads to others. So
   * names of pods that are gone do not come again; those of pods that went uncounted are remembered
   * for as long as they could.
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
        if (!used.contains(name) && !gone.contains(name) && given.add(name)) {
          return name;
        }
      }
    }
  }
}
