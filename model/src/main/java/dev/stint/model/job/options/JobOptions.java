package dev.stint.model.job.options;

import dev.stint.model.ExponentialBackoff;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.after.After;
import dev.stint.model.job.after.AfterProgress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The options of a Job for Stint's controller, beyond its specification: its annotations (decision
 * 78).
 *
 * @param podFailureBackoff the delay before a failed pod is replaced; null for the controller's
 * @param startupDeadline how long after its creation a pod has to run; null for any time
 * @param keepPods the finished pods that are kept while the Job runs; null for all
 * @param memoryOnOom the memory after a container ran out of it; null for the same as before
 * @param evictedIsNotDone whether a pod that exits with 0 after its end was asked for from outside
 *     has failed
 * @param restartsPerIndex whether restarts of containers are failures of their index
 * @param startable the indexes to which new pods are restricted; null for all
 * @param success when and why the Job succeeds beyond its specification
 * @param complaints the fault of each annotation that has one and the remedy, in words that follow
 *     its name
 */
public record JobOptions(
    @Nullable ExponentialBackoff podFailureBackoff,
    @Nullable Duration startupDeadline,
    @Nullable KeptPods keepPods,
    @Nullable MemoryGrowth memoryOnOom,
    boolean evictedIsNotDone,
    boolean restartsPerIndex,
    @Nullable IndexSet startable,
    SuccessOptions success,
    Map<String, String> complaints) {
  /** The annotation with the delays of failed pods, such as {@code 1s, max 1m}. */
  public static final String POD_FAILURE_BACKOFF = "stint.dev/pod-failure-backoff";

  /** The annotation with the time in which a pod has to start, such as {@code 5m}. */
  public static final String STARTUP_DEADLINE = "stint.dev/startup-deadline";

  /** The annotation with the finished pods to keep: {@code failed}, {@code none} or a number. */
  public static final String KEEP_PODS = "stint.dev/keep-pods";

  /** The annotation with the growth of memory after OOMKilled, such as {@code x1.5, max 16Gi}. */
  public static final String MEMORY_ON_OOM = "stint.dev/memory-on-oom";

  /** The annotation that says whether a pod that was evicted and exits with 0 has failed. */
  public static final String EVICTED_IS_NOT_DONE = "stint.dev/evicted-is-not-done";

  /** The annotation that says whether restarts of containers are failures of their index. */
  public static final String RESTARTS_PER_INDEX = "stint.dev/restarts-per-index";

  /** The annotation with the share of completions that is enough, such as {@code 80%}. */
  public static final String SUCCESS_PERCENTAGE = "stint.dev/success-percentage";

  /** The annotation with the number of succeeded pods that is enough, without indexes. */
  public static final String SUCCESS_COUNT = "stint.dev/success-count";

  /** The annotation with the reasons of a success by rule, such as {@code LeaderSucceeded}. */
  public static final String SUCCESS_REASON = "stint.dev/success-reason";

  /** The annotation with the way of pods that run when their Job has succeeded. */
  public static final String LINGER = "stint.dev/linger";

  /** The annotation that says whether a Job is complete in spite of failed indexes. */
  public static final String COMPLETE_WITH_FAILED_INDEXES =
      "stint.dev/complete-with-failed-indexes";

  /** The names of all annotations. */
  public static final List<String> NAMES =
      List.of(
          POD_FAILURE_BACKOFF,
          STARTUP_DEADLINE,
          KEEP_PODS,
          MEMORY_ON_OOM,
          EVICTED_IS_NOT_DONE,
          RESTARTS_PER_INDEX,
          SUCCESS_PERCENTAGE,
          SUCCESS_COUNT,
          SUCCESS_REASON,
          LINGER,
          COMPLETE_WITH_FAILED_INDEXES,
          After.ANNOTATION);

  /** The options of a Job without annotations. */
  public static final JobOptions NONE =
      new JobOptions(null, null, null, null, false, false, null, SuccessOptions.NONE, Map.of());

  /** The prefix of names of controllers that follow these options. */
  private static final String OUR_CONTROLLERS = "stint.dev/";

  /** Returns the options of a Job; an option with a fault has no other effect. */
  public static JobOptions of(KubeObject job) {
    return parse(job::annotation, job.spec());
  }

  /**
   * Returns the options that the Job's controller follows, as far as {@code spec.managedBy} tells:
   * none if it names a controller that is not Stint's.
   */
  public static JobOptions inForce(KubeObject job) {
    String manager = Json.text(job.spec(), "managedBy");
    boolean ours =
        manager == null
            || manager.equals(Names.BUILT_IN_CONTROLLER)
            || manager.startsWith(OUR_CONTROLLERS);
    return ours ? of(job) : NONE;
  }

  /** Returns the same options with other indexes to which new pods are restricted. */
  public JobOptions withStartable(@Nullable IndexSet indexes) {
    return new JobOptions(
        podFailureBackoff,
        startupDeadline,
        keepPods,
        memoryOnOom,
        evictedIsNotDone,
        restartsPerIndex,
        indexes,
        success,
        complaints);
  }

  /** True if both states of a Job have the same options. */
  public static boolean areSame(KubeObject one, KubeObject other) {
    return Stream.concat(NAMES.stream(), Stream.of(AfterProgress.READY))
        .allMatch(name -> Objects.equals(one.annotation(name), other.annotation(name)));
  }

  /** Checks the annotations of a Job, or of a template of Jobs. */
  public static void check(FieldPath job, FieldErrors faults) {
    FieldPath annotations = job.get("metadata", "annotations");
    ObjectNode spec = job.get("spec").node() instanceof ObjectNode object ? object : null;
    parse(name -> text(annotations.entry(name)), spec)
        .complaints()
        .forEach((name, complaint) -> faults.invalid(annotations.entry(name), complaint));
  }

  private static @Nullable String text(FieldPath annotation) {
    return annotation.exists() ? annotation.text() : null;
  }

  private static JobOptions parse(
      Function<String, @Nullable String> annotations, @Nullable ObjectNode spec) {
    AnnotationReader reader = new AnnotationReader(annotations);
    JobOptions options =
        new JobOptions(
            reader.read(POD_FAILURE_BACKOFF, OptionForms::backoff),
            reader.read(STARTUP_DEADLINE, OptionForms::startupDeadline),
            reader.read(KEEP_PODS, KeptPods::parse),
            reader.read(MEMORY_ON_OOM, text -> MemoryGrowth.parse(text, JobShape.of(spec))),
            isTrue(reader.read(EVICTED_IS_NOT_DONE, OptionForms::yesOrNo)),
            isTrue(
                reader.read(
                    RESTARTS_PER_INDEX,
                    text -> OptionForms.restartsPerIndex(text, JobShape.of(spec)))),
            AfterProgress.startable(
                reader.read(After.ANNOTATION, text -> OptionForms.after(text, JobShape.of(spec))),
                annotations),
            SuccessOptions.read(reader, () -> JobShape.of(spec)),
            reader.complaints());
    return reader.hasRead() ? options : NONE;
  }

  private static boolean isTrue(@Nullable Boolean option) {
    return Boolean.TRUE.equals(option);
  }
}
