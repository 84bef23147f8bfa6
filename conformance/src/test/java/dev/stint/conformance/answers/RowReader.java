package dev.stint.conformance.answers;

import dev.stint.model.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A reader of rows as {@code answers.py} writes them. It parses no request, and the object that
 * rows start from only once, since thousands of rows start from the same.
 */
final class RowReader {
  private byte[] beforeText = {};
  private @Nullable ObjectNode before;

  /**
   * Reads one row.
   *
   * @param line an object in ASCII, with one blank after each colon and comma
   */
  RecordedAnswer read(byte[] line) {
    ByteArrayOutputStream others = new ByteArrayOutputStream(line.length);
    byte[] request = null;
    boolean isUpdate = false;
    int start = 1;
    while (line[start] == '"') {
      int value = afterValue(line, start) + 2;
      int end = afterValue(line, value);
      String name = new String(line, start + 1, value - start - 4, StandardCharsets.US_ASCII);
      if (name.equals("request")) {
        request = Arrays.copyOfRange(line, value, end);
      } else if (name.equals("before") && line[value] == '{') {
        isUpdate = true;
        keep(Arrays.copyOfRange(line, value, end));
      } else {
        others.write(others.size() == 0 ? '{' : ',');
        others.write(line, start, end - start);
      }
      start = Math.min(end + 2, line.length - 1);
    }
    others.write('}');
    return row(Json.parse(others.toByteArray()), request, isUpdate ? before : null);
  }

  private void keep(byte[] text) {
    if (!Arrays.equals(text, beforeText)) {
      beforeText = text;
      before = Json.parse(text);
    }
  }

  /** Returns the place after the value at a place. */
  private static int afterValue(byte[] line, int start) {
    int depth = 0;
    int at = start;
    do {
      switch (line[at]) {
        case '"' -> {
          do {
            at += line[at] == '\\' ? 2 : 1;
          } while (line[at] != '"');
        }
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        default -> {}
      }
      at++;
    } while (depth > 0 || line[at] != ',' && line[at] != ':' && line[at] != '}');
    return at;
  }

  private static RecordedAnswer row(
      ObjectNode row, byte @Nullable [] request, @Nullable ObjectNode before) {
    return new RecordedAnswer(
        Objects.requireNonNull(Json.text(row, "id")),
        Objects.requireNonNullElse(Json.text(row, "method"), "POST"),
        request == null ? raw(row) : request,
        Objects.requireNonNullElse(Json.text(row, "contentType"), "application/json"),
        before,
        Json.text(row, "path"),
        AdmissionResult.recorded(row.withObjectProperty("answer")),
        Json.objectAt(row, "admitted"),
        Json.arrayAt(row, "warnings") == null
            ? null
            : row.get("warnings").valueStream().map(JsonNode::stringValue).sorted().toList());
  }

  private static byte[] raw(ObjectNode row) {
    String text = Json.text(row, "raw");
    return text != null
        ? text.getBytes(StandardCharsets.UTF_8)
        : Base64.getDecoder().decode(Objects.requireNonNull(Json.text(row, "raw64")));
  }
}
