package dev.stint.runner.log;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The output of one stream from now on, byte by byte. It ends when the container does. */
public final class LogTail extends InputStream {
  private final LogFiles files;
  private final LogStream stream;
  private final CompletableFuture<?> ended;
  private final LogTimes times;
  private long position;
  private @Nullable FileChannel channel;

  /**
   * @param ended completes when no process writes any more, or the reader is gone
   */
  public LogTail(LogFiles files, LogStream stream, CompletableFuture<?> ended) {
    this.files = files;
    this.stream = stream;
    this.ended = ended;
    this.times = new LogTimes(files);
    this.position = files.size(stream);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    while (length > 0) {
      boolean last = ended.isDone();
      int read = readNow(ByteBuffer.wrap(bytes, offset, length));
      if (isGivenUp(bytes, offset, read)) {
        continue;
      }
      if (read > 0) {
        position += read;
        return read;
      }
      if (last) {
        return -1;
      }
      await();
    }
    return 0;
  }

  private int readNow(ByteBuffer to) throws IOException {
    if (channel == null) {
      channel = files.open(stream);
    }
    return channel == null ? 0 : channel.read(to, position);
  }

  /** True if the bytes read were freed meanwhile, and so have to be left out. */
  private boolean isGivenUp(byte[] bytes, int offset, int read) throws IOException {
    boolean suspect =
        read > 0 ? hasZero(bytes, offset, read) : position > 0 && files.size(stream) < position;
    if (!suspect) {
      return false;
    }
    times.refresh();
    long start = times.start(stream);
    boolean moved = read > 0 ? start > position : start != position;
    position = moved ? start : position;
    return moved;
  }

  private static boolean hasZero(byte[] bytes, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      if (bytes[i] == 0) {
        return true;
      }
    }
    return false;
  }

  private void await() throws IOException {
    try {
      ended.get(LogMarker.INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException look) {
      // Then it is time to look again.
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new IOException("stopping", stopping);
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
