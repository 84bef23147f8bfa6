package dev.stint.console;

/** How an index stands, as the map of indexes shows it. The order is known to the pages. */
enum Cell {
  /** It has not begun. */
  NONE,
  /** Its pod has not started. */
  WAITING,
  RUNNING,
  SUCCEEDED,
  /** Its last pod failed, and it is to be tried again. */
  RETRYING,
  /** It has failed, and is not tried again. */
  FAILED,
  /** Its pod is being ended, or was with its Job, before that could count for anything. */
  STOPPED
}
