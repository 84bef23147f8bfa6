package dev.stint.cli.output;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Signals that a test sends to one command, while others run in the same process. */
public final class RaisedSignals implements Signals {
  private final Map<String, Runnable> tasks = new ConcurrentHashMap<>();

  @Override
  public void on(String signal, Runnable task) {
    tasks.put(signal, task);
  }

  /**
   * Sends a signal.
   *
   * @throws IllegalStateException if the command does not handle it
   */
  public void raise(String signal) {
    Runnable task = tasks.get(signal);
    if (task == null) {
      throw new IllegalStateException("Nothing handles signal " + signal);
    }
    Thread.ofPlatform().start(task);
  }
}
