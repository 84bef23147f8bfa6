package dev.stint.console.stream;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The changes that a page follows. Each call returns what changed since the previous one, however
 * often it changed.
 */
public interface ChangeFeed extends AutoCloseable {
  /** One event for a page. */
  record Frame(String event, JsonNode data) {}

  /** Returns the changes since the last call; the first call returns the whole state. */
  List<Frame> take();

  /** True if no more events will come. */
  boolean hasEnded();

  @Override
  void close();
}
