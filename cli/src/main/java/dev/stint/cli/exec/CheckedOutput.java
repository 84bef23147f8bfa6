package dev.stint.cli.exec;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

/** Passes bytes on, and fails once their reader is gone. */
final class CheckedOutput extends OutputStream {
  private final PrintStream out;

  CheckedOutput(PrintStream out) {
    this.out = out;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    out.write(bytes, offset, length);
    if (out.checkError()) {
      throw new IOException("its reader is gone");
    }
  }
}
