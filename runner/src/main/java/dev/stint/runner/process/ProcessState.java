package dev.stint.runner.process;

import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.runtime.Exit;
import java.util.Optional;

/** The phase of the attempt of a process. */
sealed interface ProcessState {
  /** Nothing exists yet, or it is not known what does. */
  record New() implements ProcessState {}

  /** Another thread fills its volumes, before its process is started. */
  record Filling(AttemptDir directory) implements ProcessState {}

  /** Its process is to be started. A start that fails for lack of resources is repeated. */
  record Starting(AttemptDir directory) implements ProcessState {}

  /**
   * Its process group runs.
   *
   * @param child true if its shim is a child of ours; false if an earlier life started it
   * @param killed true if its command was killed, and is killed again until it ends
   */
  record Running(AttemptDir directory, int group, boolean child, boolean killed)
      implements ProcessState {
    Running(AttemptDir directory, int group, boolean child) {
      this(directory, group, child, false);
    }

    Running asKilled() {
      return new Running(directory, group, child, true);
    }

    /** True if the shim has not begun the command, which would miss a signal. */
    boolean isBeginning() {
      return child && !directory.isUnderWay();
    }
  }

  /**
   * It has ended, and its shim was told to end, too, or was killed. It is not known yet whether
   * everything ends on this machine, Stint included: then the end does not count.
   *
   * @param silent true if it is known that nothing was printed
   */
  record InDoubt(AttemptDir directory, Exit exit, boolean silent) implements ProcessState {}

  /** Its outcome is known. */
  record Over() implements ProcessState {}

  /** Returns the directory of an attempt that was started and is not over. */
  default Optional<AttemptDir> dir() {
    return switch (this) {
      case Filling(AttemptDir directory) -> Optional.of(directory);
      case Starting(AttemptDir directory) -> Optional.of(directory);
      case Running(AttemptDir directory, _, _, _) -> Optional.of(directory);
      case InDoubt(AttemptDir directory, _, _) -> Optional.of(directory);
      case New _, Over _ -> Optional.empty();
    };
  }
}
