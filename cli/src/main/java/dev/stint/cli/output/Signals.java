package dev.stint.cli.output;

/** The signals that a command's caller sends, such as {@code INT} for Ctrl-C. */
@FunctionalInterface
public interface Signals {
  /** Calls a task, on a thread of its own, whenever the signal (such as {@code INT}) comes. */
  void on(String signal, Runnable task);
}
