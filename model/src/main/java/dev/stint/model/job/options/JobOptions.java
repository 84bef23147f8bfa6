package dev.stint.model.job.options;

import dev.stint.model.ExponentialBackoff;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The options of a Job for Stint's controller, beyond its specification: its annotations (decision
 * 78).
 *
 * @param podFailureBackoff the delay before a failed pod is replaced; null for the controller's
 * @param startupDeadline how long after its creation a pod has to run; null for any time
 * @param keepPods the finished pods that are kept while the Job runs; null for all
 * @param complaints the fault of each annotation that has one and the remedy, in words that follow
 *     its name
 */
public record JobOptions(
    @Nullable ExponentialBackoff podFailureBackoff,
    @Nullable Duration startupDeadline,
    @Nullable KeptPods keepPods,
    Map<String, String> complaints) {
  /** The annotation with the delays of failed pods, such as {@code 1s, max 1m}. */
  public static final String POD_FAILURE_BACKOFF = "stint.dev/pod-failure-backoff";

  /** The annotation with the time in which a pod has to start, such as {@code 5m}. */
  public static final String STARTUP_DEADLINE = "stint.dev/startup-deadline";

  /** The annotation with the finished pods to keep: {@code failed}, {@code none} or a number. */
  public static final String KEEP_PODS = "stint.dev/keep-pods";

  /** The names of all annotations. */
  public static final List<String> NAMES =
      List.of(POD_FAILURE_BACKOFF, STARTUP_DEADLINE, KEEP_PODS);

  /** The options of a Job without annotations. */
  public static final JobOptions NONE = new JobOptions(null, null, null, Map.of());

  /** The prefix of names of controllers that follow these options. */
  private static final String OUR_CONTROLLERS = "stint.dev/";

  /** Returns the options of a Job; an option with a fault has no other effect. */
  public static JobOptions of(KubeObject job) {
    return parse(job::annotation);
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

  /** True if both states of a Job have the same options. */
  public static boolean areSame(KubeObject one, KubeObject other) {
    return NAMES.stream()
        .allMatch(name -> Objects.equals(one.annotation(name), other.annotation(name)));
  }

  /** Checks the annotations of a Job, or of a template of Jobs. */
  public static void check(FieldPath metadata, FieldErrors faults) {
    FieldPath annotations = metadata.get("annotations");
    parse(name -> text(annotations.entry(name)))
        .complaints()
        .forEach((name, complaint) -> faults.invalid(annotations.entry(name), complaint));
  }

  private static @Nullable String text(FieldPath annotation) {
    return annotation.exists() ? annotation.text() : null;
  }

  private static JobOptions parse(Function<String, @Nullable String> annotations) {
    OptionReader reader = new OptionReader(annotations);
    JobOptions options =
        new JobOptions(
            reader.read(POD_FAILURE_BACKOFF, OptionForms::backoff),
            reader.read(STARTUP_DEADLINE, OptionForms::startupDeadline),
            reader.read(KEEP_PODS, KeptPods::parse),
            reader.complaints());
    return options.equals(NONE) ? NONE : options;
  }
}
