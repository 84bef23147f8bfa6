package dev.stint.model;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * An object in an encoding other than JSON, parts of which can be decoded without the others. What
 * it returns belongs to the caller.
 */
public interface ObjectSource {
  String apiVersion();

  String kind();

  /** Decodes the whole document. */
  ObjectNode tree();

  /**
   * Decodes a top-level object, such as the status; null if there is none. Metadata has no {@code
   * managedFields}, which nobody reads there and which are longer than the rest.
   */
  @Nullable ObjectNode member(String name);

  /** Decodes one text of a top-level object; null if there is none. */
  @Nullable String text(String member, String name);

  /** Returns the length of the encoded object. */
  int length();
}
