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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.api.StatusCode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link WebSocketSession} over one of Jetty's WebSockets. Messages are requested one by one,
 * which applies back-pressure to the client; running it ends it. Public because the server calls it
 * by reflection.
 */
public final class JettyWebSocketSession
    implements Session.Listener, WebSocketSession.Frames, Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(JettyWebSocketSession.class);
  private static final long LONGEST_MESSAGE = 1 << 20;

  private final WebSocketSession conversation;
  private final String protocol;
  private final Runnable ended;
  private final BlockingQueue<Optional<byte[]>> received = new LinkedBlockingQueue<>();
  private final List<Runnable> tasks = new CopyOnWriteArrayList<>();
  private final ReentrantLock sending = new ReentrantLock();
  private volatile boolean closed;
  private volatile @Nullable Session session;

  /**
   * @param ended runs once the session is over
   */
  JettyWebSocketSession(WebSocketSession conversation, String protocol, Runnable ended) {
    this.conversation = conversation;
    this.protocol = protocol;
    this.ended = ended;
  }

  @Override
  public void onWebSocketOpen(Session opened) {
    session = opened;
    opened.setMaxBinaryMessageSize(LONGEST_MESSAGE);
    opened.setMaxTextMessageSize(LONGEST_MESSAGE);
    opened.setIdleTimeout(Duration.ZERO);
    Thread.ofVirtual().name("stint-socket").start(() -> hold(opened));
  }

  private void hold(Session opened) {
    try {
      conversation.hold(this, protocol);
      opened.close(StatusCode.NORMAL, "", Callback.NOOP);
    } catch (IOException gone) {
      LOG.debug("A client disconnected: {}", gone.toString());
      opened.disconnect();
    } catch (InterruptedException stopping) {
      opened.disconnect();
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error fault) {
      LOG.error("Internal error in a WebSocket session", fault);
      opened.close(StatusCode.SERVER_ERROR, "internal error", Callback.NOOP);
    } finally {
      run();
    }
  }

  @Override
  public void onWebSocketBinary(ByteBuffer payload, Callback callback) {
    byte[] message = new byte[payload.remaining()];
    payload.get(message);
    callback.succeed();
    received.add(Optional.of(message));
  }

  @Override
  public void onWebSocketText(String message) {
    received.add(Optional.of(message.getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public void onWebSocketError(Throwable cause) {
    LOG.debug("A WebSocket connection failed: {}", cause.toString());
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

  private Session open() {
    return Objects.requireNonNull(session);
  }

  private void sending(Consumer<Callback> send) throws IOException {
    sending.lock();
    try {
      if (closed) {
        throw new EOFException("the client has disconnected");
      }
      Callback.Completable.with(send::accept).get();
    } catch (ExecutionException failed) {
      throw new IOException(String.valueOf(failed.getCause()), failed);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new IOException("stopping", stopping);
    } finally {
      sending.unlock();
    }
  }

  @Override
  public byte @Nullable [] receive() throws InterruptedException {
    if (!closed) {
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
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    received.add(Optional.empty());
    tasks.forEach(Runnable::run);
    ended.run();
    Session opened = session;
    if (opened != null && opened.isOpen()) {
      opened.close(StatusCode.NORMAL, "", Callback.NOOP);
    }
  }
}
