package dev.stint.conformance.answers;

import dev.stint.model.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One recorded request with the answer of a Kubernetes API server.
 *
 * @param request as JSON; null if {@code raw} holds it
 * @param raw the body, byte for byte; null if {@code request} holds it
 * @param before the object that existed on the server; null for none
 * @param path the path and query; null for the usual path of its kind
 * @param admitted the object in the answer; null if it was refused or not recorded
 * @param warnings the texts of the answer's warnings, sorted; null if they were not recorded
 */
@SuppressWarnings("ArrayRecordComponent") // a request on its way out, never compared
record RecordedAnswer(
    String id,
    String method,
    @Nullable JsonNode request,
    byte @Nullable [] raw,
    String contentType,
    @Nullable ObjectNode before,
    @Nullable String path,
    AdmissionResult verdict,
    @Nullable ObjectNode admitted,
    @Nullable List<String> warnings) {

  /** Reads a file of rows, one after the other. */
  static void each(Path file, Consumer<RecordedAnswer> row) {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      byte[] lines = in.readAllBytes();
      int start = 0;
      for (int i = 0; i < lines.length; i++) {
        if (lines[i] == '\n') {
          row.accept(of(Json.parse(Arrays.copyOfRange(lines, start, i))));
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

  private static RecordedAnswer of(ObjectNode row) {
    return new RecordedAnswer(
        Objects.requireNonNull(Json.text(row, "id")),
        or(Json.text(row, "method"), "POST"),
        row.get("request"),
        raw(row),
        or(Json.text(row, "contentType"), "application/json"),
        Json.objectAt(row, "before"),
        Json.text(row, "path"),
        AdmissionResult.recorded(row.withObjectProperty("answer")),
        Json.objectAt(row, "admitted"),
        Json.arrayAt(row, "warnings") == null
            ? null
            : row.get("warnings").valueStream().map(JsonNode::stringValue).sorted().toList());
  }

  private static byte @Nullable [] raw(ObjectNode row) {
    String text = Json.text(row, "raw");
    String base64 = Json.text(row, "raw64");
    return text != null
        ? text.getBytes(StandardCharsets.UTF_8)
        : base64 != null ? Base64.getDecoder().decode(base64) : null;
  }

  private static String or(@Nullable String text, String other) {
    return text == null ? other : text;
  }
}
