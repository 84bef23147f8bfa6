package dev.stint.model;

import java.util.random.RandomGenerator;

/** The labels, annotations, finalizers and condition types that the Job API fixes. */
public final class Names {
  /** Finalizer that keeps a pod until the controller has counted it (KEP-2307, Proposal). */
  public static final String TRACKING_FINALIZER = "batch.kubernetes.io/job-tracking";

  /** Finalizer that holds an owner until the dependents that block its deletion are gone. */
  public static final String FOREGROUND_FINALIZER = "foregroundDeletion";

  /** Finalizer that holds an owner until no dependent refers to it. */
  public static final String ORPHAN_FINALIZER = "orphan";

  public static final String COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";

  /**
   * Annotation: failures of this index before this pod (KEP-3850, Tracking the number of failures
   * per index).
   */
  public static final String INDEX_FAILURE_COUNT = "batch.kubernetes.io/job-index-failure-count";

  /** Annotation: failures of this index that a rule ignored, before this pod. */
  public static final String INDEX_IGNORED_FAILURE_COUNT =
      "batch.kubernetes.io/job-index-ignored-failure-count";

  /**
   * Annotation of a pod: the containers that have more memory than their Job's template says, such
   * as {@code main=1536Mi} (decision 91).
   */
  public static final String RAISED_MEMORY = "stint.dev/raised-memory";

  public static final String JOB_NAME = "batch.kubernetes.io/job-name";
  public static final String CONTROLLER_UID = "batch.kubernetes.io/controller-uid";
  public static final String LEGACY_JOB_NAME = "job-name";
  public static final String LEGACY_CONTROLLER_UID = "controller-uid";

  /** The condition of a pod that is ended for reasons that are not its own. */
  public static final String DISRUPTION_TARGET = "DisruptionTarget";

  /** The condition of a pod that its Job ended since it did not start in time. */
  public static final String STARTUP_DEADLINE_EXCEEDED = "stint.dev/StartupDeadlineExceeded";

  /** The condition of a pod that its Job ended since its containers restarted too often. */
  public static final String RESTART_LIMIT_EXCEEDED = "stint.dev/RestartLimitExceeded";

  public static final String COMPLETION_INDEX_ENV = "JOB_COMPLETION_INDEX";

  /** The reserved value of {@code spec.managedBy} (KEP-4368, API). */
  public static final String BUILT_IN_CONTROLLER = "kubernetes.io/job-controller";

  /** The characters of random suffixes: without vowels and their lookalikes, they form no words. */
  private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

  private static final int SUFFIX = 5;
  private static final int LONGEST_GENERATED = 63;

  private Names() {}

  /** Returns the base, cut to 63 characters in all, with five random characters. */
  public static String generated(String base, RandomGenerator random) {
    StringBuilder name =
        new StringBuilder(base.substring(0, Math.min(base.length(), LONGEST_GENERATED - SUFFIX)));
    for (int i = 0; i < SUFFIX; i++) {
      name.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return name.toString();
  }

  /** True if a name looks {@link #generated} from the base. */
  public static boolean isGenerated(String name, String base) {
    String kept = base.substring(0, Math.min(base.length(), LONGEST_GENERATED - SUFFIX));
    return !kept.isEmpty() && name.length() == kept.length() + SUFFIX && name.startsWith(kept);
  }
}
