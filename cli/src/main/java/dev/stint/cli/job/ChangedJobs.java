package dev.stint.cli.job;

import dev.stint.cli.location.TargetCommand;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.ClusterException;
import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The changes of several Jobs, made one after the other. An API that refuses one change may well
 * accept the others, so all are tried, as by {@code kubectl}.
 *
 * @param done the results of the changes that were made
 * @param refusals a line for each Job whose change was refused
 */
record ChangedJobs<T>(List<T> done, List<String> refusals) {
  /**
   * Changes Jobs.
   *
   * @param name returns how the user calls a Job
   */
  static <T> ChangedJobs<T> of(
      List<KubeObject> jobs, Function<KubeObject, String> name, Function<KubeObject, T> change) {
    List<T> done = new ArrayList<>();
    List<String> refusals = new ArrayList<>();
    for (KubeObject job : jobs) {
      try {
        done.add(change.apply(job));
      } catch (ClusterException refused) {
        refusals.add(name.apply(job) + ": " + TargetCommand.userException(refused).getMessage());
      }
    }
    return new ChangedJobs<>(done, refusals);
  }

  /**
   * Reports the refusals, if there are any. To be called once the changes are printed.
   *
   * @throws UserException if there are some
   */
  void checkAll() {
    if (!refusals.isEmpty()) {
      throw new UserException(ExitCode.USAGE, refusals);
    }
  }
}
