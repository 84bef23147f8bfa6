package dev.stint.embedded.share;

import dev.stint.model.Json;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON objects over a socket, each after its length in four bytes. Sending never blocks: a thread
 * of the channel writes, and a peer that does not read is disconnected.
 */
final class FrameChannel implements MessageChannel {
  private static final Logger LOG = LoggerFactory.getLogger(FrameChannel.class);

  /** The largest frame: several times the largest object of the API. */
  static final int MOST_FRAME_BYTES = 32 << 20;

  private static final int LENGTH_BYTES = 4;
  private static final int FIRST_BYTES = 64 << 10;

  private final SocketChannel socket;
  private final String peer;
  private final ByteBudget.Share unsentBytes;
  private final ByteBudget.Share readBytes;
  private final LinkedBlockingQueue<byte[]> unsent = new LinkedBlockingQueue<>();
  private final Thread writer;
  private volatile boolean closed;

  /**
   * @param peer the kind of the other end: {@code holder} or {@code command}
   * @param mostUnsent the bytes that may wait for the peer to read
   */
  FrameChannel(SocketChannel socket, String peer, long mostUnsent) {
    this(socket, peer, ByteBudget.ofOne(mostUnsent), ByteBudget.ofOne(Long.MAX_VALUE));
  }

  /**
   * @param peer the kind of the other end: {@code holder} or {@code command}
   * @param unsentBytes the bytes that may wait for the peer to read
   * @param readBytes the bytes that a large message of the peer may take up
   */
  FrameChannel(
      SocketChannel socket, String peer, ByteBudget.Share unsentBytes, ByteBudget.Share readBytes) {
    this.socket = socket;
    this.peer = peer;
    this.unsentBytes = unsentBytes;
    this.readBytes = readBytes;
    unsentBytes.onEnd(this::endUnread);
    this.writer = SocketThread.start("stint-" + peer + "-writer", this::write);
  }

  @Override
  public void send(ObjectNode message) {
    if (!sendIfFits(message)) {
      LOG.warn(
          "Closing the connection to a {}: a message is larger than {} bytes; the command connects again",
          peer,
          MOST_FRAME_BYTES);
      close();
    }
  }

  @Override
  public boolean sendIfFits(ObjectNode message) {
    byte[] bytes = Json.bytes(message);
    if (bytes.length > MOST_FRAME_BYTES) {
      return false;
    }
    if (closed) {
      return true;
    }
    if (unsentBytes.take(bytes.length)) {
      unsent.add(bytes);
    } else if (!closed) {
      endUnread(unsentBytes.taken() + bytes.length);
    }
    return true;
  }

  private void endUnread(long bytes) {
    LOG.warn(
        "Closing the connection to a {}: it has not read {} bytes; the command connects again",
        peer,
        bytes);
    close();
  }

  @Override
  public long unsentBytes() {
    return unsentBytes.taken();
  }

  private void write() {
    try {
      while (!closed) {
        byte[] next = unsent.take();
        ByteBuffer frame = ByteBuffer.allocate(LENGTH_BYTES + next.length);
        frame.putInt(next.length).put(next).flip();
        while (frame.hasRemaining()) {
          socket.write(frame);
        }
        unsentBytes.give(next.length);
      }
    } catch (IOException gone) {
      close();
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits for the next object; null if the peer has closed the connection. The previous one counts
   * as handled.
   *
   * @throws IOException if the connection breaks or carries something else
   */
  @Nullable ObjectNode read() throws IOException {
    readBytes.give(readBytes.taken());
    ByteBuffer head = ByteBuffer.allocate(LENGTH_BYTES);
    if (socket.read(head) < 0) {
      return null;
    }
    fill(head);
    int length = head.flip().getInt();
    if (length < 0 || length > MOST_FRAME_BYTES) {
      throw new IOException("a frame of " + length + " bytes");
    }
    try {
      return Json.parse(body(length));
    } catch (RuntimeException fault) {
      throw new IOException("a frame that is not a JSON object", fault);
    }
  }

  /** Reads a frame's body. Takes memory only as bytes arrive, whatever length was announced. */
  private byte[] body(int length) throws IOException {
    ByteBuffer body = ByteBuffer.allocate(Math.min(length, FIRST_BYTES));
    fill(body);
    while (body.capacity() < length) {
      int size = (int) Math.min(length, 2L * body.capacity());
      if (!readBytes.take(size)) {
        throw new IOException("too many large messages at once");
      }
      ByteBuffer larger = ByteBuffer.allocate(size);
      larger.put(body.flip());
      body = larger;
      fill(body);
    }
    return body.array();
  }

  private void fill(ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (socket.read(buffer) < 0) {
        throw new EOFException("the connection ended within a message");
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    unsentBytes.close();
    readBytes.close();
    writer.interrupt();
    try {
      socket.close();
    } catch (IOException fault) {
      LOG.debug("Cannot close a connection: {}", fault.toString());
    }
  }
}
