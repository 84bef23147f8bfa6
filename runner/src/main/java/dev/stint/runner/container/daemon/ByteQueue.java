package dev.stint.runner.container.daemon;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A pipe that some threads write and another one reads. Unlike Java's own pipes, it works with any
 * threads, even after they have ended.
 */
public final class ByteQueue extends InputStream {
  private static final byte[] END = {};
  private static final int PIECES = 64;

  private final BlockingQueue<byte[]> pieces = new LinkedBlockingQueue<>(PIECES);
  private byte[] piece = {};
  private int position;
  private boolean ended;
  private volatile boolean closed;

  /** Returns the end to write to; a write waits if no thread reads. */
  public OutputStream writer() {
    return new OutputStream() {
      @Override
      public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        if (closed) {
          throw new IOException("the reader has closed the pipe");
        }
        if (length > 0) {
          put(Arrays.copyOfRange(bytes, offset, offset + length));
        }
      }

      @Override
      public void close() throws IOException {
        if (!closed) {
          put(END);
        }
      }
    };
  }

  private void put(byte[] bytes) throws IOException {
    try {
      pieces.put(bytes);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (position == piece.length && !next()) {
      return -1;
    }
    int read = Math.min(length, piece.length - position);
    System.arraycopy(piece, position, bytes, offset, read);
    position += read;
    return read;
  }

  private boolean next() throws IOException {
    if (ended || closed) {
      return false;
    }
    try {
      piece = pieces.take();
      position = 0;
      ended = piece.length == 0;
      return !ended;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  /** Releases all waiting writers and the reader. */
  @Override
  public void close() {
    closed = true;
    pieces.clear();
    var _ = pieces.offer(END);
  }
}
