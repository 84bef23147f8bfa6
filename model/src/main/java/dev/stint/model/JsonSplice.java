package dev.stint.model;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Puts a member into JSON text without reading more of it than where it goes. */
final class JsonSplice {
  private JsonSplice() {}

  /**
   * The text with {@code metadata.resourceVersion}, as its first member.
   *
   * @param json an object as this program writes them: without blanks, and without that member
   * @param resourceVersion digits
   * @return null where there is no {@code metadata} with members to put it before
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
   * Writes the text without its members {@code apiVersion} and {@code kind}. What comes after both
   * is not read.
   *
   * @param json an object as this program writes them: without blanks
   */
  static void untyped(byte[] json, ByteArrayOutputStream out) {
    JsonText text = new JsonText(json, 1);
    int written = 0;
    boolean kept = false;
    int found = 0;
    while (found < 2 && text.atString()) {
      int start = text.at;
      text.string();
      boolean typed = text.is(start + 1, text.at - 1, "kind", "apiVersion");
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

  /** Where the members of the top-level {@code metadata} begin; -1 where there are none. */
  private static int metadata(byte[] json) {
    JsonText text = new JsonText(json, 0);
    if (!text.enter("metadata")) {
      return -1;
    }
    int in = text.at + 1;
    return in < json.length && json[text.at] == '{' && json[in] == '"' ? in : -1;
  }
}
