package dev.stint.apiserver.http;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The server's side of a WebSocket session, in a thread that may block. */
public interface WebSocketSession {
  /**
   * Runs the session; when it returns, the socket is closed.
   *
   * @param protocol agreed on by both sides; "" if the client offered none
   */
  void hold(Frames frames, String protocol) throws IOException, InterruptedException;

  /**
   * True if it waits for processes, which blocks a thread of the platform. Such sessions are few,
   * and their clients may send long messages, and read when they like.
   */
  default boolean isInteractive() {
    return false;
  }

  /** Returns what it holds beside the message that is being sent, in bytes. */
  default long memory() {
    return 0;
  }

  /** Called instead of {@link #hold} if another response is sent. */
  default void onRefused(ApiResponse.Whole instead) {}

  /** One WebSocket. */
  interface Frames {
    /** Sends a binary message. Blocks while a client is slow; fails if it has disconnected. */
    void send(byte[] message) throws IOException;

    /** Sends a text message, likewise. */
    void sendText(String message) throws IOException;

    /**
     * Makes and sends messages, as soon as there is memory for them.
     *
     * @param size their approximate length
     */
    default void within(long size, Sending sending) throws IOException {
      sending.run();
    }

    /**
     * Waits for the next message. A caller that never calls this does not even notice that the
     * client closes.
     *
     * @return null once the client has disconnected
     */
    byte @Nullable [] receive() throws InterruptedException;

    /**
     * Runs a task, soon and on some thread, once the client has disconnected or the server stops.
     */
    void onClose(Runnable task);
  }

  /** Makes and sends messages. */
  @FunctionalInterface
  interface Sending {
    void run() throws IOException;
  }
}
