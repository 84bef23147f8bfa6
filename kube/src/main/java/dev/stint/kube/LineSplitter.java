package dev.stint.kube;

import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;

/**
 * Splits a stream of bytes into lines. Bytes after the last line break wait for the rest of their
 * line.
 */
final class LineSplitter {
  private final ByteArrayOutputStream open = new ByteArrayOutputStream();

  /** Takes more bytes, and passes on each line that is now complete and not empty. */
  void split(byte[] bytes, Consumer<byte[]> each) {
    int start = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        open.write(bytes, start, i - start);
        start = i + 1;
        flush(each);
      }
    }
    open.write(bytes, start, bytes.length - start);
  }

  private void flush(Consumer<byte[]> each) {
    if (open.size() > 0) {
      byte[] line = open.toByteArray();
      open.reset();
      each.accept(line);
    }
  }
}
