package dev.stint.cli.submit;

import dev.stint.cli.list.ListComparison;
import dev.stint.cli.list.RequestedList;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.jobs.JobCounts;
import dev.stint.jobs.JobItems;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import dev.stint.model.item.Item;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The list of an earlier Job. It alone tells which lines have succeeded, so that they would run
 * again if it were taken for empty.
 */
final class EarlierList {
  private final Cluster cluster;
  private final KubeObject job;
  private final boolean noted;

  /**
   * @param noted true if a note tells the successes, too, so that the list may be gone
   */
  EarlierList(Cluster cluster, KubeObject job, boolean noted) {
    this.cluster = cluster;
    this.job = job;
    this.noted = noted;
  }

  /**
   * Compares a list with it.
   *
   * @param succeeded its indexes that have succeeded
   * @throws UserException if it cannot be read, or is gone with lines that have succeeded
   */
  ListComparison compare(RequestedList list, IndexSet succeeded) {
    try {
      Long completions = JobCounts.of(job).completions();
      return ListComparison.of(
          list.items(),
          list.positional(),
          items(succeeded),
          completions == null ? 0 : completions.intValue(),
          succeeded);
    } catch (ClusterException refused) {
      throw unreadable(
          "cannot be read: "
              + refused.getMessage()
              + "; run the same command again, or all lines with --fresh");
    }
  }

  private IntFunction<Optional<Item>> items(IndexSet succeeded) {
    Optional<JobItems> items = JobItems.of(cluster, job);
    return index -> {
      Optional<Item> item = items.flatMap(known -> known.item(index));
      if (item.isEmpty() && !noted && succeeded.contains(index)) {
        throw unreadable("is gone; --fresh runs all lines");
      }
      return item;
    };
  }

  private UserException unreadable(String why) {
    return new UserException(
        "%s: its last list, which tells the lines that have succeeded, %s"
            .formatted(job.name(), why));
  }
}
