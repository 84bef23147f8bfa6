package dev.stint.cli.job;

import dev.stint.cli.output.TerminalText;
import dev.stint.jobs.attempts.LogSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * One of several logs that go to the same stream. Its lines stay whole, each with a prefix, except
 * for very long ones, which are split. Without a prefix, the log passes unchanged.
 */
final class LinePrefixer implements LogSource.Out {
  /** The bytes of a line that may wait for its rest: a line may be larger than the memory. */
  static final int LONGEST_LINE = 1 << 20;

  private final PrintStream out;
  private final byte[] prefix;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  /** The output takes no more: its reader is gone, or its disk is full. */
  static final class ReaderGone extends IOException {
    private static final long serialVersionUID = 1L;

    ReaderGone() {
      super("standard output takes no more");
    }
  }

  LinePrefixer(PrintStream out, String prefix) {
    this.out = out;
    this.prefix = TerminalText.printed(prefix).getBytes(StandardCharsets.UTF_8);
  }

  /** Writes a piece. A part of a line waits for its rest. */
  @Override
  public void write(byte[] piece) throws IOException {
    if (prefix.length == 0) {
      pass(piece);
      return;
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream(piece.length + prefix.length);
    int from = 0;
    for (int i = 0; i < piece.length; i++) {
      if (piece[i] == '\n') {
        line.write(piece, from, i - from);
        endLine(whole);
        from = i + 1;
      }
    }
    line.write(piece, from, piece.length - from);
    if (line.size() > LONGEST_LINE) {
      endLine(whole);
    }
    pass(whole.toByteArray());
  }

  private void endLine(ByteArrayOutputStream whole) throws IOException {
    whole.write(prefix, 0, prefix.length);
    line.writeTo(whole);
    whole.write('\n');
    line.reset();
  }

  /** Ends the log, and completes its last line. */
  @Override
  public void finish() throws IOException {
    if (line.size() > 0) {
      write(new byte[] {'\n'});
    }
  }

  private void pass(byte[] bytes) throws IOException {
    if (bytes.length == 0) {
      return;
    }
    synchronized (out) {
      out.write(bytes, 0, bytes.length);
      if (out.checkError()) {
        throw new ReaderGone();
      }
    }
  }
}
