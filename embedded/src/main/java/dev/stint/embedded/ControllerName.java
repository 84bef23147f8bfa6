package dev.stint.embedded;

/** The controllers that a control plane can have, by the names that flags use. */
public enum ControllerName {
  /** Jobs and their pods. */
  JOB,
  /** Jobs that start after other Jobs. */
  AFTER,
  /** Jobs that cron jobs start. */
  CRONJOB,
  /** Finished Jobs whose time to live has passed. */
  TTL,
  /** Objects whose owners were deleted. */
  GC,
  /** Pods that are no longer needed. */
  PODGC,
  /** Namespaces that are being deleted. */
  NAMESPACE,
  /** The service account that every namespace has. */
  SERVICEACCOUNT,
  /** The API server's authority as a config map that every namespace has. */
  ROOTCA,
  /** The usage that resource quotas report. */
  RESOURCEQUOTA
}
