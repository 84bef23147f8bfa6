package dev.stint.embedded.share;

/**
 * A thread that waits for a socket. It is a thread of the system, since the first virtual thread
 * that waits for a socket starts one that waits in native code for ever, and the end of a JVM waits
 * 0.3 s for such a thread.
 */
final class SocketThread {
  private SocketThread() {}

  /** Starts a thread, for which the end of the process does not wait. */
  static Thread start(String name, Runnable task) {
    return Thread.ofPlatform().daemon().name(name).start(task);
  }
}
