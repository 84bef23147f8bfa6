package dev.stint.apiserver.table;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import org.jspecify.annotations.Nullable;

/** The part of its object that a table's row contains: the {@code includeObject} parameter. */
public enum IncludeObject {
  NONE("None"),
  METADATA("Metadata"),
  OBJECT("Object");

  private final String text;

  IncludeObject(String text) {
    this.text = text;
  }

  /**
   * Reads the parameter.
   *
   * @param text null or "" for {@code METADATA}
   * @throws ClusterException {@code BAD_REQUEST} if it is none of the three
   */
  public static IncludeObject parse(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return METADATA;
    }
    for (IncludeObject include : values()) {
      if (include.text.equals(text)) {
        return include;
      }
    }
    throw new ClusterException(
        Reason.BAD_REQUEST, "includeObject must be None, Metadata or Object, not " + text);
  }
}
