package dev.stint.embedded.benchmark;

/** A benchmark in which nothing has happened for a while. The message is one line for the user. */
public final class StalledException extends Exception {
  private static final long serialVersionUID = 1;

  StalledException(String message) {
    super(message);
  }
}
