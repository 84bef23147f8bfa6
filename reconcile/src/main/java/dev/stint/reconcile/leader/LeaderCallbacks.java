package dev.stint.reconcile.leader;

/** Receives the beginning and the end of leadership, on the event loop of the candidate. */
public interface LeaderCallbacks {
  /** Reports that this process leads from now on, for as long as the term holds. */
  void onStartedLeading(Term term);

  /**
   * Reports that this process no longer leads; the term has ended already.
   *
   * @param reason for the log
   */
  void onStoppedLeading(String reason);
}
