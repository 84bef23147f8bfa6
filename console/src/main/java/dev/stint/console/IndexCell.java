package dev.stint.console;

/** The state of one index, as the index map shows it. */
enum IndexCell {
  /** The index has not begun. */
  NONE(0),
  /** Its pod has not started. */
  WAITING(1),
  RUNNING(2),
  SUCCEEDED(3),
  /** The last pod failed, and the index will be retried. */
  RETRYING(4),
  /** The index has failed, and will not be retried. */
  FAILED(5),
  /** The pod is being stopped, or was stopped with its Job, before its end could count. */
  STOPPED(6);

  private static final IndexCell[] BY_NUMBER = {
    NONE, WAITING, RUNNING, SUCCEEDED, RETRYING, FAILED, STOPPED
  };

  private final int number;

  IndexCell(int number) {
    this.number = number;
  }

  /** Returns the number that stands for this state in the pages. */
  int number() {
    return number;
  }

  static IndexCell of(int number) {
    return BY_NUMBER[number];
  }
}
