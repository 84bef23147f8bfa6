package dev.stint.conformance.histories;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** The recorded histories: a line of JSON each, compressed. */
final class HistoryFile {
  static final Path PATH = Path.of("histories", "histories.jsonl.gz");

  private HistoryFile() {}

  /** Reads all histories, by number. */
  static SortedMap<Integer, JobHistory> read() throws IOException {
    SortedMap<Integer, JobHistory> histories = new TreeMap<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(PATH)), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        JobHistory history = JobHistory.read(line);
        histories.put(history.id(), history);
      }
    }
    return histories;
  }

  static void write(Collection<JobHistory> histories) throws IOException {
    Files.createDirectories(PATH.getParent());
    try (Writer out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(PATH)), StandardCharsets.UTF_8)) {
      for (JobHistory history : histories) {
        out.write(history.write() + "\n");
      }
    }
  }
}
