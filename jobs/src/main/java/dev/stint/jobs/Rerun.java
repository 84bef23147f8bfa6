package dev.stint.jobs;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.DeleteOptions;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.SuccessPolicy;
import dev.stint.model.job.after.After;
import dev.stint.model.job.options.JobOptions;
import dev.stint.model.job.options.SuccessOptions;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A new Job that reruns some indexes of an ended Job and keeps its successes. It has the same
 * number of completions. Its status starts with all other indexes as completed, so that each rerun
 * index has its own {@code JOB_COMPLETION_INDEX} (decision 21).
 *
 * @param document the Job to create, without the fields that are set during its creation
 * @param indexes the indexes that run again
 * @param kept the indexes whose successes are kept
 * @param lost the indexes that stay failed, since they do not run again
 */
public record Rerun(ObjectNode document, IndexSet indexes, IndexSet kept, IndexSet lost) {
  private static final int LONGEST_NAME = 63;
  private static final Pattern NAME = Pattern.compile("-rerun-\\d+$");

  /** All annotations together hold at most 256 KiB; a list that would fill them is left out. */
  private static final int LONGEST_LIST = 100_000;

  /**
   * Builds the Job that runs again.
   *
   * @param requested the indexes to rerun; null for all that have not succeeded
   * @throws JobException if the Job cannot be rerun
   */
  public static Rerun of(KubeObject job, @Nullable IndexSet requested, String name) {
    ObjectNode tree = job.spec();
    JobSpec spec = JobSpec.read(tree == null ? Json.object() : tree);
    JobStatus status = JobStatus.read(job.status());
    Integer completions = spec.completions();
    if (!spec.isIndexed() || completions == null) {
      throw new JobException(
          job.name()
              + " is not an Indexed Job, so single indexes cannot be rerun; create the whole Job"
              + " again");
    }
    if (!status.isFinished()) {
      throw new JobException(job.name() + " is not finished; wait for it, or cancel it first");
    }
    IndexSet all = completions == 0 ? IndexSet.EMPTY : IndexSet.range(0, completions - 1);
    IndexSet done = status.completedIndexes().below(completions);
    IndexSet again = requested == null ? all.minus(done) : requested;
    if (again.isEmpty()) {
      throw new JobException("all indexes of " + job.name() + " have succeeded");
    }
    if (again.max() >= completions) {
      throw new JobException(
          "%s has no index %d; its last one is %d"
              .formatted(job.name(), again.max(), completions - 1));
    }
    IndexSet lost = all.minus(done).minus(again);
    if (!lost.isEmpty() && spec.backoffLimitPerIndex() == null) {
      throw new JobException(
          "indexes %s of %s have not succeeded either, and a Job without backoffLimitPerIndex cannot leave them out; add them to the indexes"
              .formatted(DisplayText.indexes(lost.toString(), 60), job.name()));
    }
    Integer mayFail = spec.maxFailedIndexes();
    if (mayFail != null && lost.size() > mayFail) {
      throw new JobException(
          "indexes %s of %s have not succeeded either, and its maxFailedIndexes allows %d, so the new Job would fail at once; add them to the indexes"
              .formatted(DisplayText.indexes(lost.toString(), 60), job.name(), mayFail));
    }
    IndexSet kept = done.minus(again);
    String enough = metBy(job, spec, kept);
    if (enough != null) {
      throw new JobException(
          "the kept successes of %s (%s) meet its %s, so the new Job would be Complete at once; add some of them to the indexes"
              .formatted(job.name(), DisplayText.namedIndexes(kept, 60), enough));
    }
    return new Rerun(document(job, again, name), again, kept, lost);
  }

  /** Returns by which of its rules a Job is Complete with these successes alone; null for none. */
  private static @Nullable String metBy(KubeObject job, JobSpec spec, IndexSet kept) {
    SuccessPolicy policy = spec.successPolicy();
    if (policy != null && policy.rules().stream().anyMatch(rule -> rule.isMet(kept))) {
      return "successPolicy";
    }
    return reachesGoal(job, spec, kept) ? JobOptions.SUCCESS_PERCENTAGE : null;
  }

  /** A Job that failed with enough successes has a controller that ignores the annotation. */
  private static boolean reachesGoal(KubeObject job, JobSpec spec, IndexSet kept) {
    Integer percentage = JobOptions.inForce(job).success().percentage();
    Integer completions = spec.completions();
    return percentage != null
        && completions != null
        && JobState.of(job) == JobState.COMPLETE
        && kept.size() >= SuccessOptions.needed(percentage, completions);
  }

  /**
   * Returns the Job of a document that keeps the successes of others.
   *
   * @param document the document, to which the origin is added
   * @param from the Job whose successes they are; null if it is gone
   * @param again the indexes that are left
   */
  public static Rerun continuing(
      ObjectNode document, @Nullable KubeObject from, IndexSet again, IndexSet kept) {
    if (from != null) {
      ObjectNode metadata = document.withObjectProperty("metadata");
      annotate(metadata.withObjectProperty("annotations"), from, again);
    }
    return new Rerun(document, again, kept, IndexSet.EMPTY);
  }

  /** Returns the first free name: {@code NAME-rerun-1}, … */
  public static String name(String of, Predicate<String> taken) {
    String base = NAME.matcher(of).replaceFirst("");
    for (int i = 1; ; i++) {
      String name = shortened(base, "-rerun-" + i);
      if (!taken.test(name)) {
        return name;
      }
    }
  }

  private static String shortened(String base, String end) {
    return base.substring(0, Math.min(base.length(), LONGEST_NAME - end.length())) + end;
  }

  /** True if a name is one that {@link #name} returns. */
  public static boolean isNameOfRerun(String name) {
    return NAME.matcher(name).find();
  }

  /** True if a Job is a rerun of a Job of that name, or of one of its reruns. */
  public static boolean isRerunOf(String name, KubeObject job) {
    String origin = job.annotation(RerunOrigin.OF);
    return origin != null
        && isNameOfRerun(job.name())
        && (origin.equals(name) || isNameOfRerunOf(name, origin));
  }

  private static boolean isNameOfRerunOf(String name, String rerun) {
    Matcher end = NAME.matcher(rerun);
    return end.find() && shortened(name, end.group()).equals(rerun);
  }

  private static ObjectNode document(KubeObject job, IndexSet again, String name) {
    ObjectNode document = WrittenJob.of(job);
    document.withObjectProperty("spec").remove("suspend");
    ObjectNode metadata = document.withObjectProperty("metadata").put("name", name);
    ObjectNode annotations = metadata.withObjectProperty("annotations");
    annotations.remove(After.ANNOTATION);
    annotate(annotations, job, again);
    return document;
  }

  private static void annotate(ObjectNode annotations, KubeObject job, IndexSet again) {
    annotations.put(RerunOrigin.OF, job.name()).put(RerunOrigin.UID, job.uid());
    String list = again.toString();
    if (list.length() <= LONGEST_LIST) {
      annotations.put(RerunOrigin.INDEXES, list);
    }
  }

  /** Creates the Job and starts it; leaves none if one of both is refused. */
  public KubeObject create(Cluster cluster, ObjectNode wanted) {
    return start(cluster, createSuspended(cluster, wanted));
  }

  /**
   * Creates the Job suspended, so that no pod runs before its status holds the kept successes.
   * Deletes the Job again if the status update is refused.
   */
  public KubeObject createSuspended(Cluster cluster, ObjectNode wanted) {
    ObjectNode suspended = wanted.deepCopy();
    suspended.withObjectProperty("spec").put("suspend", true);
    KubeObject made = ApiCalls.await(cluster.create(KubeObject.of(suspended)));
    return orDelete(
        cluster,
        made,
        () -> {
          ApiCalls.await(cluster.patchStatus(made.ref(), status(made)));
          SharedLists.share(
              cluster, Objects.requireNonNullElse(made.annotation(RerunOrigin.UID), ""), made);
          return made;
        });
  }

  /**
   * Starts a Job that {@link #createSuspended} has made, and returns its new state. Deletes the Job
   * if that is refused.
   */
  public static KubeObject start(Cluster cluster, KubeObject made) {
    return orDelete(cluster, made, () -> JobChanges.suspend(cluster, made, false));
  }

  private static KubeObject orDelete(
      Cluster cluster, KubeObject made, Supplier<KubeObject> requests) {
    try {
      return requests.get();
    } catch (ClusterException refused) {
      ApiCalls.await(cluster.delete(made.ref(), DeleteOptions.only(made.uid())));
      throw refused;
    }
  }

  private ObjectNode status(KubeObject made) {
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("uid", made.uid());
    ObjectNode status = patch.putObject("status");
    if (!kept.isEmpty()) {
      status.put("completedIndexes", kept.toString()).put("succeeded", kept.size());
    }
    if (!lost.isEmpty()) {
      status.put("failedIndexes", lost.toString());
    }
    return patch;
  }
}
