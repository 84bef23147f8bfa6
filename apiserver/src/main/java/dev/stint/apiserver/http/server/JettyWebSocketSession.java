package dev.stint.apiserver.http.server;

import dev.stint.apiserver.http.WebSocketSession;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.eclipse.jetty.util.thread.Scheduler;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.api.StatusCode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link WebSocketSession} over one of Jetty's WebSockets. Messages are requested one by one,
 * which applies back-pressure to the client; running it ends it. Pings detect a client that
 * vanishes while nothing is sent, see {@link WebSocketHeartbeat}. Public because the server calls
 * it by reflection.
 */
public final class JettyWebSocketSession
    implements Session.Listener, WebSocketSession.Frames, Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(JettyWebSocketSession.class);
  private static final long LONGEST_INPUT = 1 << 20;

  /** The longest message of a session that is not interactive: such messages are ignored. */
  private static final long LONGEST_OTHER = 4 << 10;

  private static final int STACK_BYTES = 256 << 10;

  /** The part of the time for reading after which a quiet client is pinged. */
  private static final int PINGS_IN_TIMEOUT = 4;

  private final WebSocketSession conversation;
  private final String path;
  private final String protocol;
  private final Duration patience;
  private final Exchange exchange;
  private final BlockingQueue<Optional<byte[]>> received = new LinkedBlockingQueue<>();
  private final List<Runnable> tasks = new CopyOnWriteArrayList<>();
  private final ReentrantLock sending = new ReentrantLock();
  private final WebSocketHeartbeat heartbeat = new WebSocketHeartbeat();
  private final Scheduler scheduler;
  private volatile boolean pinging;
  private volatile boolean closed;
  private volatile @Nullable Session session;

  /**
   * @param path the path of its request, for log lines
   * @param patience the time in which a client must take something, unless it is interactive
   * @param exchange ends once the session is over and its thread has ended
   * @param scheduler runs the pings
   */
  JettyWebSocketSession(
      WebSocketSession conversation,
      String path,
      String protocol,
      Duration patience,
      Exchange exchange,
      Scheduler scheduler) {
    this.scheduler = scheduler;
    this.conversation = conversation;
    this.path = path;
    this.protocol = protocol;
    this.patience = patience;
    this.exchange = exchange;
  }

  @Override
  public void onWebSocketOpen(Session opened) {
    if (!isBegun(opened)) {
      opened.disconnect();
      return;
    }
    long longest = conversation.isInteractive() ? LONGEST_INPUT : LONGEST_OTHER;
    opened.setMaxBinaryMessageSize(longest);
    opened.setMaxTextMessageSize(longest);
    opened.setIdleTimeout(Duration.ZERO);
    Thread.Builder threads =
        conversation.isInteractive()
            ? Thread.ofPlatform().daemon().stackSize(STACK_BYTES)
            : Thread.ofVirtual();
    threads.name("stint-socket").start(() -> hold(opened));
    awaitHeartbeat(opened);
  }

  private void awaitHeartbeat(Session opened) {
    if (!closed && scheduler.isRunning()) {
      long wait = patience.dividedBy(PINGS_IN_TIMEOUT).toMillis();
      scheduler.schedule(() -> beat(opened), wait, TimeUnit.MILLISECONDS);
    }
  }

  /** Pings the client unless something is being sent; disconnects one that has vanished. */
  private void beat(Session opened) {
    if (heartbeat.hasStopped()) {
      LOG.debug("Closing the WebSocket session {}: its client no longer answers pings", path);
      opened.disconnect();
      Thread.ofVirtual().name("stint-socket-end").start(this);
      return;
    }
    if (!pinging && sending.tryLock()) {
      try {
        pinging = true;
        opened.sendPing(
            heartbeat.ping(), Callback.from(() -> pinging = false, _ -> pinging = false));
      } finally {
        sending.unlock();
      }
    }
    awaitHeartbeat(opened);
  }

  @Override
  public void onWebSocketPong(ByteBuffer payload) {
    heartbeat.onPong(payload);
    open().demand();
  }

  /** False if it is closed before it begins, and has given everything back. */
  private synchronized boolean isBegun(Session opened) {
    session = closed ? null : opened;
    return !closed;
  }

  private void hold(Session opened) {
    try {
      conversation.hold(this, protocol);
      opened.close(StatusCode.NORMAL, "", Callback.NOOP);
    } catch (IOException gone) {
      LOG.debug("The client of the WebSocket session {} disconnected: {}", path, gone.toString());
      opened.disconnect();
    } catch (InterruptedException stopping) {
      opened.disconnect();
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error fault) {
      LOG.error("Internal error in the WebSocket session {}; closing it", path, fault);
      opened.close(StatusCode.SERVER_ERROR, "internal error", Callback.NOOP);
    } finally {
      run();
      exchange.end();
    }
  }

  @Override
  public void onWebSocketBinary(ByteBuffer payload, Callback callback) {
    byte[] message = new byte[payload.remaining()];
    payload.get(message);
    callback.succeed();
    heartbeat.onMessage();
    received.add(Optional.of(message));
  }

  @Override
  public void onWebSocketText(String message) {
    heartbeat.onMessage();
    received.add(Optional.of(message.getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public void onWebSocketError(Throwable cause) {
    LOG.debug("The connection of the WebSocket session {} failed: {}", path, cause.toString());
    run();
  }

  @Override
  public void onWebSocketClose(int code, String reason, Callback callback) {
    callback.succeed();
    run();
  }

  @Override
  public void send(byte[] message) throws IOException {
    sending(callback -> open().sendBinary(ByteBuffer.wrap(message), callback));
  }

  @Override
  public void sendText(String message) throws IOException {
    sending(callback -> open().sendText(message, callback));
  }

  @Override
  public void within(long size, WebSocketSession.Sending sending) throws IOException {
    try {
      if (!exchange.takesPiece(size)) {
        throw new IOException("there is no memory for more of the answer");
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new IOException("stopping", stopping);
    }
    try {
      sending.run();
    } finally {
      exchange.givesPieceBack(size);
    }
  }

  private Session open() {
    return Objects.requireNonNull(session);
  }

  private void sending(Consumer<Callback> send) throws IOException {
    sending.lock();
    try {
      if (closed) {
        throw new EOFException("the client has disconnected");
      }
      heartbeat.onSend();
      await(Callback.Completable.with(send::accept));
    } catch (TimeoutException unread) {
      throw new IOException("the client does not read", unread);
    } catch (ExecutionException failed) {
      throw new IOException(String.valueOf(failed.getCause()), failed);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new IOException("stopping", stopping);
    } finally {
      sending.unlock();
    }
  }

  private void await(Callback.Completable sent)
      throws ExecutionException, InterruptedException, TimeoutException {
    if (conversation.isInteractive()) {
      sent.get();
    } else {
      sent.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public byte @Nullable [] receive() throws InterruptedException {
    if (!closed) {
      heartbeat.onRead();
      open().demand();
    }
    return received.take().orElse(null);
  }

  @Override
  public void onClose(Runnable task) {
    tasks.add(task);
    if (closed) {
      task.run();
    }
  }

  /** Closes it, once. */
  @Override
  public void run() {
    Session opened;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      opened = session;
    }
    received.add(Optional.empty());
    tasks.forEach(Runnable::run);
    if (opened == null) {
      exchange.end();
    } else if (opened.isOpen()) {
      opened.close(StatusCode.NORMAL, "", Callback.NOOP);
    }
  }
}
