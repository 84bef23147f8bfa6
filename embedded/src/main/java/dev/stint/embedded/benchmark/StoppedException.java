package dev.stint.embedded.benchmark;

/** A benchmark that its caller ended. */
public final class StoppedException extends Exception {
  private static final long serialVersionUID = 1;

  StoppedException() {
    super("the benchmark was stopped");
  }
}
