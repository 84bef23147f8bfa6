package dev.stint.runner.container.daemon;

import dev.stint.runner.log.LogStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads two streams from one ("Stream format" of the Docker Engine API). A frame has a byte for the
 * stream, three empty ones, four for the length, then that many bytes of output.
 */
public final class LogFrames {
  private static final int HEADER = 8;
  private static final int STDERR = 2;
  private static final int PIECE = 1 << 16;
  private static final int LONGEST_ERROR = 500;

  /** Receives the output. */
  @FunctionalInterface
  public interface Sink {
    void accept(LogStream stream, byte[] bytes, int length) throws IOException;
  }

  private LogFrames() {}

  /**
   * Passes on all frames, in pieces that need not be frames, until the stream ends, wherever it
   * does.
   *
   * @throws IOException also if the daemon tells of an error, which is no output: as a frame of
   *     another stream, or as JSON after the last frame
   */
  public static void copy(InputStream in, Sink sink) throws IOException {
    byte[] header = new byte[HEADER];
    byte[] piece = new byte[PIECE];
    while (in.readNBytes(header, 0, HEADER) == HEADER) {
      if (!isOfOutput(header)) {
        throw new IOException("the daemon tells of an error: " + text(header, in));
      }
      LogStream stream = header[0] == STDERR ? LogStream.STDERR : LogStream.STDOUT;
      long left = Integer.toUnsignedLong(ByteBuffer.wrap(header).getInt(4));
      while (left > 0) {
        int read = in.read(piece, 0, (int) Math.min(left, PIECE));
        if (read < 0) {
          return;
        }
        sink.accept(stream, piece, read);
        left -= read;
      }
    }
  }

  private static boolean isOfOutput(byte[] header) {
    return header[0] >= 0
        && header[0] <= STDERR
        && header[1] == 0
        && header[2] == 0
        && header[3] == 0;
  }

  private static String text(byte[] header, InputStream in) throws IOException {
    String rest = new String(in.readNBytes(LONGEST_ERROR), StandardCharsets.UTF_8);
    return new String(header, StandardCharsets.UTF_8).concat(rest).strip();
  }
}
