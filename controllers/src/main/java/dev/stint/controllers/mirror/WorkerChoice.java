package dev.stint.controllers.mirror;

/** How a worker is chosen for a new Job, of those that can be used and take its labels. */
public enum WorkerChoice {
  /** The first one. */
  IN_ORDER,
  /** The one with room for the most pods; the first one of several. */
  MOST_FREE
}
