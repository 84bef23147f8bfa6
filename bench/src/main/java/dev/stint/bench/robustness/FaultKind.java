package dev.stint.bench.robustness;

/** A fault of a server or its machine. After each, the server runs again. */
enum FaultKind {
  /** {@code kill -9}. */
  KILL(false),
  /** The process stands still for up to two seconds. */
  PAUSE(false),
  /** Each sync takes up to a third of a second longer, for a while. */
  SLOW_DISK(true),
  /** Nothing can be written, for a while. */
  FULL_DISK(true),
  /** Data that was not synced is lost, or a part of it, sector by sector. */
  POWER_LOSS(true),
  /** The clock jumps forwards or back, by up to two hours. */
  CLOCK_JUMP(true);

  /** True if only a machine that fails on request has it. */
  private final boolean needsMachine;

  FaultKind(boolean needsMachine) {
    this.needsMachine = needsMachine;
  }

  boolean needsMachine() {
    return needsMachine;
  }
}
