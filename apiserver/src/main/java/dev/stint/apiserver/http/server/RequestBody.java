package dev.stint.apiserver.http.server;

import dev.stint.apiserver.access.User;
import dev.stint.apiserver.http.Call;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
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
  private static final long OVERSIZED_BYTES = 128L << 20;

  /**
   * The number of bytes that are read of a body that nobody asked for. If more are to come, the
   * server ends the stream or the connection instead.
   */
  private static final long UNREAD_BYTES = 64 << 10;

  private static final int BUFFER_BYTES = 16 << 10;

  private final Request request;
  private final HttpLimits limits;
  private final Exchange exchange;
  private final long begun = System.nanoTime();
  private long seen;
  private long most;
  private boolean complete;

  RequestBody(Request request, HttpLimits limits, Exchange exchange) {
    this.request = request;
    this.limits = limits;
    this.exchange = exchange;
    this.complete = request.getLength() == 0;
  }

  @Override
  public void identify(User user) {
    exchange.identify(user);
  }

  @Override
  public void onEnd(Runnable task) {
    exchange.onEnd(task);
  }

  @Override
  public byte[] read() throws IOException {
    return read(limits.bodyBytes());
  }

  @Override
  public byte[] read(int longest) throws IOException {
    if (complete) {
      return new byte[0];
    }
    byte[] body;
    TimeLimit limit = new TimeLimit(limits.bodyTime());
    try {
      body = receive(Content.Source.asInputStream(request), Math.min(longest, limits.bodyBytes()));
    } catch (IOException broken) {
      if (limit.end()) {
        throw tooLate();
      }
      throw broken;
    } finally {
      limit.close();
    }
    exchange.awaitRoom();
    return body;
  }

  private ClusterException tooLate() {
    return new ClusterException(
        Reason.BAD_REQUEST,
        "the body of the request did not come within %d ms"
            .formatted(limits.bodyTime().toMillis()));
  }

  private byte[] receive(InputStream in, int longest) throws IOException {
    if (request.getLength() > longest) {
      refuseOversized(in, longest);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(BUFFER_BYTES);
    byte[] buffer = new byte[BUFFER_BYTES];
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      seen += read;
      if (seen > longest) {
        refuseOversized(in, longest);
      }
      hold(read);
      out.write(buffer, 0, read);
    }
    complete = true;
    return out.toByteArray();
  }

  private void hold(int bytes) {
    if (!exchange.takesBody(bytes)) {
      throw Exchange.tooMany("too many large requests");
    }
  }

  /**
   * Reads an oversized body, up to a limit, and then refuses it: an earlier answer would often be
   * lost.
   */
  private void refuseOversized(InputStream in, int longest) throws IOException {
    if (request.getLength() <= OVERSIZED_BYTES && longest == limits.bodyBytes()) {
      discard(in, OVERSIZED_BYTES);
    }
    throw new ClusterException(
        Reason.TOO_LARGE, "the request is too large: limit is " + longest + " bytes");
  }

  /** Reads until the body ends, or until this many bytes of it have been seen. */
  private void discard(InputStream in, long limit) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    int read = 0;
    while (read >= 0 && seen < limit) {
      read = in.read(buffer);
      seen += Math.max(read, 0);
    }
    complete = read < 0;
  }

  /**
   * Discards what has arrived of a body that nobody read. Never blocks.
   *
   * @return true if the rest is worth waiting for, see {@link #awaitRest()}
   */
  boolean hasShortRest() {
    most = seen + UNREAD_BYTES;
    if (request.getLength() > most || isLate() || isAnswerAwaited()) {
      return false;
    }
    while (!complete && seen < most) {
      Content.Chunk chunk = request.read();
      if (chunk == null) {
        return true;
      }
      seen += chunk.remaining();
      complete = chunk.isLast() || Content.Chunk.isFailure(chunk);
      chunk.release();
    }
    return false;
  }

  /** True if the client sends nothing more before it is answered. */
  private boolean isAnswerAwaited() {
    return request.getHeaders().contains(HttpHeader.EXPECT)
        || request.getMethod().equals("CONNECT");
  }

  private boolean isLate() {
    return !timeLeft().isPositive();
  }

  private Duration timeLeft() {
    return limits.bodyTime().minusNanos(System.nanoTime() - begun);
  }

  /**
   * Waits for the rest of a short body, and discards it, so that the server need not reset the
   * stream: a client may see a reset before it has read its answer. Takes no longer than the limit
   * for bodies allows, from the beginning of the request.
   */
  void awaitRest() {
    try (TimeLimit _ = new TimeLimit(timeLeft())) {
      discard(Content.Source.asInputStream(request), most);
    } catch (IOException gone) {
      complete = true; // There is nothing to wait for.
    }
  }

  @Override
  public void close() {
    exchange.endsBody();
  }

  /** Interrupts the thread that created it when the time is over, unless it has ended before. */
  private final class TimeLimit implements AutoCloseable {
    private final Scheduler.Task timer;
    private boolean ended;
    private boolean passed;

    TimeLimit(Duration time) {
      Thread reader = Thread.currentThread();
      timer =
          request
              .getComponents()
              .getScheduler()
              .schedule(() -> expire(reader), time.toMillis(), TimeUnit.MILLISECONDS);
    }

    private synchronized void expire(Thread reader) {
      if (!ended) {
        passed = true;
        reader.interrupt();
      }
    }

    /** Ends the limit; returns true if the time was over. */
    synchronized boolean end() {
      ended = true;
      return passed;
    }

    /** Ends the limit, and takes its interrupt back. */
    @Override
    public void close() {
      timer.cancel();
      if (end()) {
        Thread.interrupted();
      }
    }
  }
}
