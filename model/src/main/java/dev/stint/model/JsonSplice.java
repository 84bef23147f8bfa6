package dev.stint.model;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Inserts a member into JSON text, and reads the text only up to that place. */
final class JsonSplice {
  private JsonSplice() {}

  /**
   * Returns the text with {@code metadata.resourceVersion}, the first member of the metadata.
   *
   * @param json an object as this program writes them: without blanks, and without that member
   * @param resourceVersion digits
   * @return null if there is no {@code metadata} with members
   */
  static byte @Nullable [] resourceVersion(byte[] json, String resourceVersion) {
    int metadata = metadata(json);
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

  /**
   * Writes the text without its members {@code apiVersion} and {@code kind}. The text after both is
   * not parsed.
   *
   * @param json an object as this program writes them: without blanks
   */
  static void untyped(byte[] json, ByteArrayOutputStream out) {
    JsonText text = new JsonText(json, 1);
    int written = 0;
    boolean kept = false;
    int found = 0;
    while (found < 2 && text.isAtString()) {
      int start = text.at;
      text.string();
      boolean typed = text.equalsAsciiOrElse(start + 1, text.at - 1, "kind", "apiVersion");
      text.at++; // The colon.
      text.value();
      if (typed) {
        found++;
        int before = kept ? start - 1 : start; // With the comma before it, or the one after it.
        out.write(json, written, before - written);
        written = kept || json[text.at] != ',' ? text.at : text.at + 1;
      }
      kept |= !typed;
      text.at++; // The comma, or the end of the object.
    }
    out.write(json, written, json.length - written);
  }

  /** Returns the start of the members of the top-level {@code metadata}; -1 if there are none. */
  private static int metadata(byte[] json) {
    JsonText text = new JsonText(json, 0);
    if (!text.enter("metadata")) {
      return -1;
    }
    int in = text.at + 1;
    return in < json.length && json[text.at] == '{' && json[in] == '"' ? in : -1;
  }
}
