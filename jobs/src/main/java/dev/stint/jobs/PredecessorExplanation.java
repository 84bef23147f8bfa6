package dev.stint.jobs;

import dev.stint.cluster.Cluster;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.after.After;
import dev.stint.model.job.after.After.Predecessor;
import dev.stint.model.job.after.After.Until;
import dev.stint.model.job.after.AfterProgress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Explains how the Jobs stand that a Job waits for. */
public final class PredecessorExplanation {
  private static final int SHOWN = 10;
  private static final int SHOWN_INDEXES = 60;

  private PredecessorExplanation() {}

  /** Returns a sentence for each Job that an unfinished Job waits for; reads the first few. */
  public static List<String> of(Cluster cluster, KubeObject job) {
    After after = After.of(job);
    AfterProgress progress = AfterProgress.of(job);
    if (after == null
        || JobState.of(job).isFinished()
        || !(after.isByIndex() || AfterProgress.isWaiting(job))) {
      return List.of();
    }
    List<Predecessor> open =
        after.predecessors().stream()
            .filter(each -> !progress.met().contains(each.name()))
            .toList();
    List<String> lines = new ArrayList<>();
    for (Predecessor each : open.subList(0, Math.min(SHOWN, open.size()))) {
      lines.add(
          describe(
              each, ApiCalls.find(cluster, new ObjectRef(Kind.JOB, job.namespace(), each.name()))));
    }
    if (open.size() > SHOWN) {
      lines.add("it waits for " + (open.size() - SHOWN) + " more Jobs");
    }
    return lines;
  }

  private static String describe(Predecessor predecessor, @Nullable KubeObject job) {
    if (job == null) {
      return "Job " + predecessor.name() + " does not exist";
    }
    String state = "Job %s is %s".formatted(job.name(), JobState.of(job).displayName());
    if (predecessor.until() != Until.INDEX) {
      return state;
    }
    IndexSet complete = JobStatus.read(job.status()).completedIndexes();
    return complete.isEmpty()
        ? state + ", and no index of it is complete"
        : "%s, and %s complete"
            .formatted(
                state,
                DisplayText.namedIndexes(complete, SHOWN_INDEXES)
                    + (complete.size() == 1 ? " is" : " are"));
  }
}
