package dev.stint.cli.submit;

import dev.stint.jobs.JobEdit;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A decision on a requested Job, given the Jobs that exist. */
public sealed interface RunDecision {
  /** Returns the line that tells the user before it happens. */
  default Optional<String> words() {
    return Optional.empty();
  }

  /** True if a Job's pods may run. */
  default boolean isStart() {
    return true;
  }

  /** There is no such Job. */
  record Create() implements RunDecision {}

  /**
   * An unfinished Job goes on.
   *
   * @param edit what changes before
   * @param newInputs true if config maps or secrets have changed that its pods name
   */
  record Resume(JobEdit edit, boolean newInputs) implements RunDecision {
    @Override
    public Optional<String> words() {
      List<String> words = new ArrayList<>(edit.words());
      if (newInputs) {
        words.add(
            "ConfigMaps or Secrets of its files have changed, and only pods that start now get"
                + " them; --fresh runs all anew");
      }
      return words.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", words));
    }
  }

  /** A finished Job's outcome is reported, since no command did. */
  record Report(KubeObject job) implements RunDecision {
    @Override
    public boolean isStart() {
      return false;
    }
  }

  /** All lines of a list have succeeded, so that nothing runs. */
  record Done(KubeObject job, String how) implements RunDecision {
    @Override
    public Optional<String> words() {
      return Optional.of(how);
    }

    @Override
    public boolean isStart() {
      return false;
    }
  }

  /** A new Job replaces the existing one. */
  record StartAnew(KubeObject replaced, String why) implements RunDecision {
    @Override
    public Optional<String> words() {
      return Optional.of(why);
    }
  }

  /**
   * A new Job runs the lines of a list that have not succeeded.
   *
   * @param kept the indexes whose successes it keeps
   * @param left the number of the others
   * @param from the Job whose successes most of these are; null if it is gone
   * @param replaced the Jobs that it replaces
   */
  record Continue(
      IndexSet kept, long left, @Nullable KubeObject from, List<KubeObject> replaced, String how)
      implements RunDecision {
    @Override
    public boolean isStart() {
      return left > 0;
    }

    @Override
    public Optional<String> words() {
      return Optional.of(how);
    }
  }

  /** The user has to decide. */
  record Refuse(String why) implements RunDecision {}
}
