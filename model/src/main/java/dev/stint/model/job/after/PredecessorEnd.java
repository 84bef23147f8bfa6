package dev.stint.model.job.after;

import dev.stint.model.index.IndexSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a Job ended that another one waits for index by index.
 *
 * @param complete false if it failed
 * @param completed the indexes that it completed
 */
public record PredecessorEnd(boolean complete, IndexSet completed) {
  private static final Pattern END =
      Pattern.compile("([-a-z0-9.]+)=(Complete|Failed)(?: ([-0-9,]+))?");

  /** Reads the value of the annotation; skips what is malformed. */
  static Map<String, PredecessorEnd> parse(@Nullable String text) {
    Map<String, PredecessorEnd> found = new TreeMap<>();
    for (String part : (text == null ? "" : text).split(";", -1)) {
      Matcher parts = END.matcher(part.strip());
      if (parts.matches()) {
        String indexes = parts.group(3);
        IndexSet completed = indexes == null ? IndexSet.EMPTY : IndexSet.salvage(indexes);
        found.put(parts.group(1), new PredecessorEnd(parts.group(2).equals("Complete"), completed));
      }
    }
    return found;
  }

  /** Returns the value of the annotation for ends by name, such as {@code shards=Failed 0,2-5}. */
  public static String text(Map<String, PredecessorEnd> ends) {
    return new TreeMap<>(ends)
        .entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .collect(Collectors.joining("; "));
  }

  @Override
  public String toString() {
    return (complete ? "Complete" : "Failed") + (completed.isEmpty() ? "" : " " + completed);
  }
}
