package dev.stint.runner.volume;

import dev.stint.runner.env.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A file of a volume. Many files may share one text, so it is decoded when the file is written.
 *
 * @param path relative to the volume's directory; it never climbs out of it
 * @param mode permission bits, such as 0644
 * @param text the content as its object holds it
 * @param base64 true if the content is bytes, encoded in the text
 */
record VolumeFile(String path, int mode, String text, boolean base64) {
  byte[] content() {
    return base64 ? Base64.getMimeDecoder().decode(text) : text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the size in bytes, or a little more. */
  long size() {
    return base64 ? text.length() / 4 * 3L : Utf8.length(text);
  }
}
