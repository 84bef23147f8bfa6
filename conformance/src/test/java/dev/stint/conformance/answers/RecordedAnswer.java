package dev.stint.conformance.answers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One recorded request with the answer of a Kubernetes API server.
 *
 * @param body the body of the request, byte for byte
 * @param before the object that existed on the server; null for none
 * @param path the path and query; null for the usual path of its kind
 * @param admitted the object in the answer; null if it was refused or not recorded
 * @param warnings the texts of the answer's warnings, sorted; null if they were not recorded
 */
@SuppressWarnings("ArrayRecordComponent") // a request on its way out, never compared
record RecordedAnswer(
    String id,
    String method,
    byte[] body,
    String contentType,
    @Nullable ObjectNode before,
    @Nullable String path,
    AdmissionResult verdict,
    @Nullable ObjectNode admitted,
    @Nullable List<String> warnings) {

  /** Reads a file of rows, one after the other. */
  static void each(Path file, Consumer<RecordedAnswer> row) {
    RowReader rows = new RowReader();
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      byte[] lines = in.readAllBytes();
      int start = 0;
      for (int i = 0; i < lines.length; i++) {
        if (lines[i] == '\n') {
          row.accept(rows.read(Arrays.copyOfRange(lines, start, i)));
          start = i + 1;
        }
      }
      if (start < lines.length) {
        throw new IllegalStateException(file + " does not end with a line");
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
