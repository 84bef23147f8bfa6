package dev.stint.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Puts a member into JSON text without reading more of it than where it goes. */
final class JsonSplice {
  private static final byte[] METADATA = "\"metadata\"".getBytes(StandardCharsets.US_ASCII);

  private final byte[] json;
  private int at;

  private JsonSplice(byte[] json) {
    this.json = json;
  }

  /**
   * The text with {@code metadata.resourceVersion}, as its first member.
   *
   * @param json an object as this program writes them: without blanks, and without that member
   * @param resourceVersion digits
   * @return null where there is no {@code metadata} with members to put it before
   */
  static byte @Nullable [] resourceVersion(byte[] json, String resourceVersion) {
    int metadata = new JsonSplice(json).metadata();
    if (metadata < 0) {
      return null;
    }
    byte[] member =
        ("\"resourceVersion\":\"" + resourceVersion + "\",").getBytes(StandardCharsets.US_ASCII);
    byte[] spliced = Arrays.copyOf(json, json.length + member.length);
    System.arraycopy(member, 0, spliced, metadata, member.length);
    System.arraycopy(json, metadata, spliced, metadata + member.length, json.length - metadata);
    return spliced;
  }

  /** Where the members of the top-level {@code metadata} begin; -1 where there are none. */
  private int metadata() {
    at = 1;
    while (at < json.length && json[at] == '"') {
      boolean found =
          Arrays.mismatch(
                  json,
                  at,
                  Math.min(json.length, at + METADATA.length),
                  METADATA,
                  0,
                  METADATA.length)
              < 0;
      string();
      at++; // The colon.
      if (found) {
        return at + 1 < json.length && json[at] == '{' && json[at + 1] == '"' ? at + 1 : -1;
      }
      value();
      at++; // The comma.
    }
    return -1;
  }

  private void string() {
    at++;
    while (json[at] != '"') {
      at += json[at] == '\\' ? 2 : 1;
    }
    at++;
  }

  /** Steps over a value of any form. */
  private void value() {
    int depth = 0;
    do {
      switch (json[at]) {
        case '"' -> {
          string();
          continue;
        }
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        default -> {}
      }
      at++;
    } while (depth > 0 || at < json.length && json[at] != ',' && json[at] != '}');
  }
}
