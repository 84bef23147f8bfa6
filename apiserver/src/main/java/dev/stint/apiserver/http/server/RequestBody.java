package dev.stint.apiserver.http.server;

import dev.stint.apiserver.http.Call;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * The body of one request, read within the limits. The bytes that it holds count towards the memory
 * for all bodies until it is closed.
 */
final class RequestBody implements Call.Body, AutoCloseable {
  /**
   * The number of bytes that are read of an oversized body, so that its sender still receives the
   * answer.
   */
  private static final long DRAINED_BYTES = 128L << 20;

  private static final int BUFFER_BYTES = 16 << 10;

  private final Request request;
  private final HttpLimits limits;
  private final Semaphore share;
  private final Semaphore permits;
  private int held;
  private boolean received;
  private boolean late;

  /**
   * @param share the bytes that all bodies may take together
   * @param permits to be answered; this request holds one, except while its body is received
   */
  RequestBody(Request request, HttpLimits limits, Semaphore share, Semaphore permits) {
    this.request = request;
    this.limits = limits;
    this.share = share;
    this.permits = permits;
  }

  @Override
  public byte[] read() throws IOException {
    if (request.getLength() == 0) {
      return new byte[0];
    }
    permits.release();
    Thread reader = Thread.currentThread();
    Scheduler.Task timer =
        request
            .getComponents()
            .getScheduler()
            .schedule(() -> expire(reader), limits.bodyTime().toMillis(), TimeUnit.MILLISECONDS);
    try {
      return receive(Content.Source.asInputStream(request));
    } catch (IOException broken) {
      if (received()) {
        throw tooLate();
      }
      throw broken;
    } finally {
      timer.cancel();
      if (received()) {
        Thread.interrupted();
      }
      permits.acquireUninterruptibly();
    }
  }

  private synchronized void expire(Thread reader) {
    if (!received) {
      late = true;
      reader.interrupt();
    }
  }

  /** Ends the time limit; returns true if it had passed. */
  private synchronized boolean received() {
    received = true;
    return late;
  }

  private ClusterException tooLate() {
    return new ClusterException(
        Reason.BAD_REQUEST,
        "the body of the request did not arrive within %d ms"
            .formatted(limits.bodyTime().toMillis()));
  }

  private byte[] receive(InputStream in) throws IOException {
    if (request.getLength() > limits.bodyBytes()) {
      drain(in, 0);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(BUFFER_BYTES);
    byte[] buffer = new byte[BUFFER_BYTES];
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      if (out.size() + read > limits.bodyBytes()) {
        drain(in, out.size());
      }
      hold(read);
      out.write(buffer, 0, read);
    }
    return out.toByteArray();
  }

  private void hold(int bytes) {
    if (!share.tryAcquire(bytes)) {
      throw new ClusterException(
          Reason.TOO_MANY_REQUESTS, "too many large requests, please try again later");
    }
    held += bytes;
  }

  /**
   * Reads an oversized body, up to a limit, and then refuses it: an earlier answer would often be
   * lost.
   */
  private void drain(InputStream in, long before) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    long received = before;
    if (request.getLength() <= DRAINED_BYTES) {
      for (int read = in.read(buffer);
          read >= 0 && received < DRAINED_BYTES;
          read = in.read(buffer)) {
        received += read;
      }
    }
    throw new ClusterException(
        Reason.TOO_LARGE, "the request is too large: limit is " + limits.bodyBytes() + " bytes");
  }

  @Override
  public void close() {
    share.release(held);
    held = 0;
  }
}
