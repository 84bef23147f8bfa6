package dev.stint.console;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** What a page follows. It is asked for what is new, however often that changed meanwhile. */
interface Feed extends AutoCloseable {
  /** Something for a page. */
  record Frame(String event, JsonNode data) {}

  /** What is new since the last call; at the first all there is. */
  List<Frame> take();

  /** Whether nothing more will come. */
  boolean over();

  @Override
  void close();
}
