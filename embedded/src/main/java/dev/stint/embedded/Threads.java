package dev.stint.embedded;

import java.util.concurrent.ThreadFactory;

/** Daemon threads by name, so that a stack dump reads well and none keeps the process alive. */
final class Threads {
  private Threads() {}

  static ThreadFactory named(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
