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

  /** One WebSocket. */
  interface Frames {
    /** Sends a binary message. Blocks while a client is slow; fails if it has disconnected. */
    void send(byte[] message) throws IOException;

    /** Sends a text message, likewise. */
    void sendText(String message) throws IOException;

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
}
