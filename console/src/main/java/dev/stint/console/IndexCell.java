package dev.stint.console;

/** How an index stands, as the map of indexes shows it. */
enum IndexCell {
  /** It has not begun. */
  NONE(0),
  /** Its pod has not started. */
  WAITING(1),
  RUNNING(2),
  SUCCEEDED(3),
  /** Its last pod failed, and it is to be tried again. */
  RETRYING(4),
  /** It has failed, and is not tried again. */
  FAILED(5),
  /** Its pod is being ended, or was with its Job, before that could count for anything. */
  STOPPED(6);

  private static final IndexCell[] BY_NUMBER = {
    NONE, WAITING, RUNNING, SUCCEEDED, RETRYING, FAILED, STOPPED
  };

  private final int number;

  IndexCell(int number) {
    this.number = number;
  }

  /** What the pages know it by. */
  int number() {
    return number;
  }

  static IndexCell of(int number) {
    return BY_NUMBER[number];
  }
}
