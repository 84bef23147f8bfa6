package dev.stint.console;

import dev.stint.jobs.DisplayText;
import dev.stint.jobs.JobChanges;
import dev.stint.jobs.JobConditions;
import dev.stint.jobs.JobEvent;
import dev.stint.jobs.JobException;
import dev.stint.jobs.JobExplanation;
import dev.stint.jobs.JobItems;
import dev.stint.jobs.JobState;
import dev.stint.jobs.JobSummary;
import dev.stint.jobs.Rerun;
import dev.stint.jobs.RerunOrigin;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.LastFailures;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobStatus;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Builds the text and numbers of a Job's page. Pure. */
final class JobPage {
  private static final int MOST_FAILURES = 6;
  private static final int SHOWN_INDEXES = 400;

  private JobPage() {}

  /**
   * Returns the description that {@code stint show} prints for a Job, and the actions on it.
   *
   * @param waiting attempts that wait for something
   * @param failures the newest ones, without those of sidecars
   * @param events the last ones of the Job, in order
   */
  static ObjectNode of(
      KubeObject job,
      List<ContainerAttemptView> waiting,
      List<ContainerAttemptView> failures,
      List<JobEvent> events,
      Instant now) {
    JobStatus status = JobStatus.read(job.status());
    ObjectNode tree = JobSummary.of(job, now).json();
    tree.put("uid", job.uid()).put("revision", job.resourceVersion());
    tree.put("indexed", "Indexed".equals(Json.text(job.spec(), "completionMode")));
    tree.put("hasItems", JobItems.isIn(job));
    Integer parallelism = Json.integer(job.spec(), "parallelism");
    if (parallelism != null) {
      tree.put("parallelism", parallelism.intValue());
    }
    List<ContainerAttemptView> attempts =
        Stream.concat(waiting.stream(), failures.stream()).toList();
    texts(tree, "why", JobExplanation.of(job, attempts, events));
    texts(tree, "policies", JobExplanation.policies(job));
    RerunOrigin.of(job)
        .ifPresent(from ->
            tree.putObject("from").put("name", from.name()).put("words", from.description()));
    tree.set("conditions", JobConditions.json(status.conditions()));
    IndexSet failed = status.failedIndexes();
    if (failed != null && !failed.isEmpty()) {
      tree.put("failedIndexList", DisplayText.indexes(failed.toString(), SHOWN_INDEXES));
    }
    ArrayNode last = tree.putArray("failures");
    LastFailures.of(failures, status.completedIndexes(), failed, Set.of(), MOST_FAILURES)
        .forEach(each -> last.add(each.json(now).put("why", each.explanation())));
    tree.set("actions", actions(job));
    return tree;
  }

  /** Returns each action with the reason why it is unavailable; empty if it is available. */
  private static ObjectNode actions(KubeObject job) {
    ObjectNode actions = Json.object();
    boolean suspended = JobChanges.isSuspended(job);
    String settled = JobState.of(job) == JobState.DELETING ? job.name() + " is being deleted" : "";
    String refusal = settled.isEmpty() ? JobChanges.refusalToSuspend(job) : settled;
    actions.put("suspend", suspended ? job.name() + " is suspended" : refusal);
    actions.put("resume", suspended ? refusal : job.name() + " is not suspended");
    actions.put("cancel", JobChanges.refusalToCancel(job));
    actions.put("delete", JobChanges.refusalToDelete(job));
    rerun(job, null, actions);
    return actions;
  }

  private static void rerun(KubeObject job, @Nullable IndexSet requested, ObjectNode actions) {
    try {
      Rerun rerun = Rerun.of(job, requested, job.name());
      actions.put("rerun", "");
      actions.put("rerunIndexes", DisplayText.indexes(rerun.indexes().toString(), SHOWN_INDEXES));
      actions.put("rerunCount", rerun.indexes().size()).put("rerunKeeps", rerun.kept().size());
    } catch (JobException refusal) {
      actions.put("rerun", refusal.getMessage());
    }
  }

  private static void texts(ObjectNode tree, String member, List<String> texts) {
    ArrayNode list = tree.putArray(member);
    texts.forEach(list::add);
  }
}
