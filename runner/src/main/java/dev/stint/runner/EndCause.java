package dev.stint.runner;

/** The reason why a pod is ended before its time. A later one has precedence. */
enum EndCause {
  DEADLINE,
  /** It uses more of the machine than it may. */
  EVICTED,
  /** Its inputs were not created in time. */
  UNPREPARED,
  DELETED,
  /** The object is gone: no status can be written. */
  VANISHED,
  /** Another client has written the last phase. */
  FINISHED_BY_OTHERS,
  /** The runner stops; the pod goes on in the runner's next life. */
  INTERRUPTED;

  /** True if no status is written about it. */
  boolean isSilent() {
    return compareTo(DELETED) > 0;
  }

  /** True if the pod is ended through no fault of its containers. */
  boolean isExternal() {
    return compareTo(DELETED) >= 0;
  }
}
