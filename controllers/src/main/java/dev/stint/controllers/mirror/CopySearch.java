package dev.stint.controllers.mirror;

import java.util.List;
import java.util.Optional;

/**
 * The search for the copy of a Job that says nothing of one: somebody may have replaced its
 * annotations, or the mirror may have ended before it recorded the copy.
 *
 * @param found the newest copy that a worker has; empty if none is known
 * @param isComplete true if the Jobs of all workers are known
 */
record CopySearch(Optional<Found> found, boolean isComplete) {
  static final CopySearch NOTHING = new CopySearch(Optional.empty(), true);

  /**
   * A copy of the Job.
   *
   * @param worker the name of the worker that has it
   * @param moves how often the Job had moved when it was made
   */
  record Found(String worker, long moves) {}

  /** Searches the copies that mirrors have made. */
  static CopySearch of(String uid, List<MirrorController> mirrors) {
    return new CopySearch(
        mirrors.stream()
            .flatMap(mirror -> mirror.copyOf(uid).stream())
            .reduce((one, other) -> other.moves() > one.moves() ? other : one),
        mirrors.stream().allMatch(MirrorController::knowsCopies));
  }
}
