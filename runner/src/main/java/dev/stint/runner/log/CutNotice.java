package dev.stint.runner.log;

import dev.stint.runner.file.Handle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The line that says, where a log begins, that its beginning was removed. */
final class CutNotice {
  private CutNotice() {}

  /** Returns the line about so many bytes that are gone. */
  static byte[] line(long bytes) {
    return ("[stint: the first "
            + bytes
            + " bytes of this log were removed, since it was longer than --max-log-size]\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Writes the line into the freed part of a file, right before the part that is kept, for people
   * who read the file itself.
   */
  static void write(Path file, long start) throws IOException {
    ByteBuffer line = ByteBuffer.wrap(line(start));
    long at = start - line.remaining();
    if (at >= 0) {
      try (FileChannel channel = Handle.channel(file, StandardOpenOption.WRITE)) {
        while (line.hasRemaining()) {
          at += channel.write(line, at);
        }
      }
    }
  }
}
