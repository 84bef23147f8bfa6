package dev.stint.runner.runtime;

import java.util.Collection;
import java.util.Set;

/**
 * The rest of a pod from an earlier life of the runtime. Nothing of the pod runs.
 *
 * @param ended the containers whose newest attempt has an outcome, and was not interrupted
 * @param lost the containers whose newest attempt was running when the machine went down
 */
public record IdleLeftover(Set<String> ended, Set<String> lost) {
  public IdleLeftover {
    ended = Set.copyOf(ended);
    lost = Set.copyOf(lost);
  }

  /**
   * True if these containers have all ended, which is only to be reported; else one of them is to
   * be started.
   *
   * @param repeatsLost true if lost attempts are run again
   */
  public boolean isOver(Collection<String> containers, boolean repeatsLost) {
    return containers.stream()
        .allMatch(each -> ended.contains(each) || (!repeatsLost && lost.contains(each)));
  }
}
