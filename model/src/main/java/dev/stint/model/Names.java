package dev.stint.model;

/** The labels, annotations, finalizers and condition types that the Job API fixes. */
public final class Names {
  /** Finalizer that keeps a pod until the controller has counted it (KEP-2307, Proposal). */
  public static final String TRACKING_FINALIZER = "batch.kubernetes.io/job-tracking";

  public static final String COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";

  /**
   * Annotation: failures of this index before this pod (KEP-3850, Tracking the number of failures
   * per index).
   */
  public static final String INDEX_FAILURE_COUNT = "batch.kubernetes.io/job-index-failure-count";

  /** Annotation: failures of this index that a rule ignored, before this pod. */
  public static final String INDEX_IGNORED_FAILURE_COUNT =
      "batch.kubernetes.io/job-index-ignored-failure-count";

  public static final String JOB_NAME = "batch.kubernetes.io/job-name";
  public static final String CONTROLLER_UID = "batch.kubernetes.io/controller-uid";
  public static final String LEGACY_JOB_NAME = "job-name";
  public static final String LEGACY_CONTROLLER_UID = "controller-uid";
  public static final String COMPLETION_INDEX_ENV = "JOB_COMPLETION_INDEX";

  /** The reserved value of {@code spec.managedBy} (KEP-4368, API). */
  public static final String BUILT_IN_CONTROLLER = "kubernetes.io/job-controller";

  private Names() {}
}
