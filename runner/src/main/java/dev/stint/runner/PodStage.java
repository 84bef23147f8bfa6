package dev.stint.runner;

/** The stages of a pod on its node, in their order. */
enum PodStage {
  /** There is no room for it yet. */
  WAITING,
  /** Its inputs are fetched; then its containers start. */
  PREPARING,
  /** Its inputs are fetched; then what an earlier life left of its containers is taken over. */
  TAKING_OVER,
  RUNNING,
  /** No container is started any more. */
  ENDING,
  /** The last status is being written. */
  ENDED,
  /** The last status was refused: what the runtime knows of the outcome is kept. */
  UNSAVED,
  /** The last status is written, or there is none to write. */
  SETTLED;

  /** True if containers run, or are to. */
  boolean isActive() {
    return compareTo(WAITING) > 0 && compareTo(ENDED) < 0;
  }

  boolean isPreparing() {
    return this == PREPARING || this == TAKING_OVER;
  }

  /** True if containers may yet be started. */
  boolean mayStart() {
    return compareTo(ENDING) < 0;
  }
}
