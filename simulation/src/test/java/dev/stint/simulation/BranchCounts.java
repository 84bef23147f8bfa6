package dev.stint.simulation;

import java.util.Arrays;
import java.util.function.LongFunction;

/** Plays worlds in {@link BranchProbes} and counts which branches they take. */
public final class BranchCounts implements LongFunction<int[]> {
  private static final ThreadLocal<int[]> HITS = ThreadLocal.withInitial(() -> new int[1 << 10]);

  public BranchCounts() {}

  /** Counts one more use of a branch; called by the code that was changed. */
  public static void hit(int branch) {
    int[] hits = HITS.get();
    if (branch >= hits.length) {
      hits = Arrays.copyOf(hits, 2 * branch);
      HITS.set(hits);
    }
    hits[branch]++;
  }

  /** Returns how often a world took each branch; its steps are the last number. */
  @Override
  public int[] apply(long seed) {
    HITS.remove();
    SeededRun run = new SeededRun(seed);
    run.play();
    int[] hits = HITS.get();
    int[] counts = Arrays.copyOf(hits, hits.length + 1);
    counts[hits.length] = run.steps();
    return counts;
  }
}
