package dev.stint.bench.robustness;

import java.io.IOException;
import java.net.ConnectException;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/** An API as one client reaches it. */
public interface TestedApi extends AutoCloseable {

  /** An answer, whatever its code is. */
  record Reply(int code, ObjectNode body) {}

  /**
   * Sends a request and waits for its answer.
   *
   * @throws ConnectException nothing was sent
   * @throws IOException there was no answer
   */
  Reply send(String method, String path, String body) throws IOException, InterruptedException;

  /**
   * Opens a watch, and passes its lines on until it ends.
   *
   * @return the status code
   * @throws IOException it was cut off, or never answered
   */
  int watch(String path, Consumer<ObjectNode> line) throws IOException, InterruptedException;

  /** True if the server says that it is ready. */
  boolean isReady() throws InterruptedException;

  @Override
  void close();
}
