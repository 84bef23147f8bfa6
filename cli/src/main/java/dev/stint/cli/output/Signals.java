package dev.stint.cli.output;

import java.util.List;
import java.util.function.Consumer;

/** The signals that a command's caller sends, such as {@code INT} for Ctrl-C. */
@FunctionalInterface
public interface Signals {
  /**
   * The signals that ask a command to end. {@code HUP} comes when its terminal is closed; nohup(1)
   * keeps it away, also from our task.
   */
  List<String> ENDING = List.of("INT", "TERM", "HUP");

  /** Calls a task, on a thread of its own, whenever the signal (such as {@code INT}) comes. */
  void on(String signal, Runnable task);

  /** Calls a task with the signal's name, on a thread of its own, whenever one asks for the end. */
  default void onEnding(Consumer<String> task) {
    ENDING.forEach(signal -> on(signal, () -> task.accept(signal)));
  }
}
