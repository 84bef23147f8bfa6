package dev.stint.apiserver.http;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What is said over a WebSocket, in a thread that may wait. */
public interface WebSocketSession {
  /**
   * Holds it; when it returns, the socket is closed.
   *
   * @param protocol what both sides agreed on; "" where the client offered nothing
   */
  void hold(Frames frames, String protocol) throws IOException, InterruptedException;

  /** One WebSocket. */
  interface Frames {
    /** Sends a binary message. Waits for a slow client; fails where it is gone. */
    void send(byte[] message) throws IOException;

    /** Sends a text message, likewise. */
    void sendText(String message) throws IOException;

    /**
     * Waits for the next message. Who does not call this hears nothing of the client, not even that
     * it closes.
     *
     * @return null once the client is gone
     */
    byte @Nullable [] receive() throws InterruptedException;

    /** Runs, in some thread and soon, once the client is gone or the server stops. */
    void onClose(Runnable task);
  }
}
