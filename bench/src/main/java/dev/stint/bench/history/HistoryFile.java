package dev.stint.bench.history;

import java.nio.file.Path;
import tools.jackson.databind.json.JsonMapper;

/** A history on disk, as JSON. */
public final class HistoryFile {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private HistoryFile() {}

  public static void write(RecordedHistory history, Path file) {
    MAPPER.writeValue(file, history);
  }

  public static RecordedHistory read(Path file) {
    return MAPPER.readValue(file, RecordedHistory.class);
  }
}
