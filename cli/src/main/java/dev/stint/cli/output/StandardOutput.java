package dev.stint.cli.output;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Standard output, which remembers why it could not be written: a {@link PrintStream} only tells
 * that it could not.
 */
public final class StandardOutput extends OutputStream {
  private static final int TYPE = 0xf000;
  private static final int PIPE = 0x1000;
  private static final int SOCKET = 0xc000;

  private final OutputStream out;
  private final Path file;
  private volatile @Nullable IOException failure;

  /**
   * @param file the path of {@code out}
   */
  StandardOutput(OutputStream out, Path file) {
    this.out = out;
    this.file = file;
  }

  /** Returns the standard output of this process. */
  public static StandardOutput ofProcess() {
    return new StandardOutput(new FileOutputStream(FileDescriptor.out), Path.of("/proc/self/fd/1"));
  }

  /** Returns a stream of text to it. */
  public PrintStream stream(Charset charset) {
    return new PrintStream(new BufferedOutputStream(this), true, charset);
  }

  /**
   * Returns why output was lost; null if none was, or if it went to a pipe, or may have: then its
   * reader has ended, and wants no more.
   */
  public @Nullable IOException loss() {
    return failure == null || isPipe() ? null : failure;
  }

  private boolean isPipe() {
    try {
      int type = TYPE & (int) Files.getAttribute(file, "unix:mode");
      return type == PIPE || type == SOCKET;
    } catch (IOException | UnsupportedOperationException unknown) {
      return true;
    }
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException fault) {
      if (failure == null) {
        failure = fault;
      }
      throw fault;
    }
  }
}
