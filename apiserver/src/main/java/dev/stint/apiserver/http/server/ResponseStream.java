package dev.stint.apiserver.http.server;

import dev.stint.apiserver.http.ApiResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * A response that is being streamed, piece by piece: the next one is made when its client has room
 * for it. A client that takes nothing for a while is cut off. Running it ends it.
 */
final class ResponseStream implements ApiResponse.Sink, Runnable {
  /** The bytes that a client must take in time. */
  private static final int SLICE_BYTES = 64 << 10;

  private final Response response;
  private final Exchange exchange;
  private final Duration patience;
  private final List<Runnable> tasks = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  /**
   * @param patience the time in which a client must take something
   */
  ResponseStream(Request request, Response response, Exchange exchange, Duration patience) {
    this.response = response;
    this.exchange = exchange;
    this.patience = patience;
    request.addIdleTimeoutListener(_ -> false);
    request.addFailureListener(_ -> run());
  }

  @Override
  public void write(byte[] bytes) throws IOException {
    write(bytes.length, () -> bytes);
  }

  @Override
  public void write(long size, ApiResponse.Piece piece) throws IOException {
    take(size);
    try {
      byte[] bytes = piece.bytes();
      int at = 0;
      do {
        int length = Math.min(SLICE_BYTES, bytes.length - at);
        send(ByteBuffer.wrap(bytes, at, length));
        at += length;
      } while (at < bytes.length);
    } finally {
      exchange.givesPieceBack(size);
    }
  }

  @Override
  public boolean takes(long bytes) {
    return exchange.takesMemory(bytes);
  }

  @Override
  public void givesBack(long bytes) {
    exchange.givesMemoryBack(bytes);
  }

  private void take(long size) throws IOException {
    try {
      if (!exchange.takesPiece(size)) {
        throw new IOException("there is no memory for more of the answer");
      }
    } catch (InterruptedException stopping) {
      throw stopped(stopping);
    }
  }

  private void send(ByteBuffer slice) throws IOException {
    if (closed) {
      throw new EofException("the client has disconnected");
    }
    Callback.Completable written = new Callback.Completable();
    response.write(false, slice, written);
    try {
      var _ = written.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException failed) {
      throw new IOException(String.valueOf(failed.getCause()), failed);
    } catch (TimeoutException unread) {
      throw new IOException("the client does not read", unread);
    } catch (InterruptedException stopping) {
      throw stopped(stopping);
    }
  }

  private static IOException stopped(InterruptedException stopping) {
    Thread.currentThread().interrupt();
    return new IOException("stopping", stopping);
  }

  @Override
  public void onClose(Runnable task) {
    tasks.add(task);
    if (closed) {
      task.run();
    }
  }

  @Override
  public void run() {
    closed = true;
    tasks.forEach(Runnable::run);
  }
}
