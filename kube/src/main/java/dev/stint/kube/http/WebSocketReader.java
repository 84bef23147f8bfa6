package dev.stint.kube.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a server sends over a WebSocket (RFC 6455). A length is checked before anything is
 * allocated for it, since the server may be hostile.
 */
final class WebSocketReader {
  static final int CONTINUATION = 0;
  static final int TEXT = 1;
  static final int BINARY = 2;
  static final int CLOSE = 8;
  static final int PING = 9;
  static final int PONG = 10;

  /** The most bytes of a message. Kubernetes sends pieces of 32 KiB. */
  static final int MOST_MESSAGE_BYTES = 1 << 20;

  private static final Set<Integer> OPCODES = Set.of(CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG);
  private static final int MOST_CONTROL_BYTES = 125;

  private final InputStream in;
  private final Runnable onFrame;
  private final Consumer<byte[]> onPing;
  private final Consumer<byte[]> onPong;
  private String closeReason = "";

  /**
   * @param onFrame called for each frame, and must not block
   * @param onPing receives what a ping carries, and must not block
   * @param onPong receives what a pong carries, and must not block
   */
  WebSocketReader(
      InputStream in, Runnable onFrame, Consumer<byte[]> onPing, Consumer<byte[]> onPong) {
    this.in = in;
    this.onFrame = onFrame;
    this.onPing = onPing;
    this.onPong = onPong;
  }

  @SuppressWarnings("ArrayRecordComponent") // on its way, never compared
  private record Frame(boolean isLast, int opcode, byte[] payload) {}

  /**
   * Waits for the next message, text or binary.
   *
   * @return null once the server closes
   * @throws ProtocolException if the server violates the protocol
   * @throws EOFException if it ends the connection without closing
   */
  byte @Nullable [] next() throws IOException {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    boolean hasBegun = false;
    while (true) {
      Frame frame = frame(MOST_MESSAGE_BYTES - message.size());
      onFrame.run();
      switch (frame.opcode()) {
        case CLOSE -> {
          closeReason = reason(frame.payload());
          return null;
        }
        case PING -> onPing.accept(frame.payload());
        case PONG -> onPong.accept(frame.payload());
        default -> {
          check(hasBegun == (frame.opcode() == CONTINUATION), "a fragment without its message");
          hasBegun = true;
          message.writeBytes(frame.payload());
          if (frame.isLast()) {
            return message.toByteArray();
          }
        }
      }
    }
  }

  /** Returns the code and the reason with which the server has closed; empty if it told none. */
  String closeReason() {
    return closeReason;
  }

  private Frame frame(int most) throws IOException {
    int first = readByte();
    int second = readByte();
    boolean isLast = (first & 0x80) != 0;
    int opcode = first & 0x0f;
    boolean isControl = opcode >= CLOSE;
    check((first & 0x70) == 0, "a frame with reserved bits");
    check(OPCODES.contains(opcode), "a frame of an unknown kind");
    check((second & 0x80) == 0, "a masked frame");
    check(isLast || !isControl, "a fragment of a control frame");
    long length = length(second & 0x7f);
    long allowed = isControl ? MOST_CONTROL_BYTES : most;
    check(length >= 0 && length <= allowed, "more than %d bytes at once".formatted(allowed));
    byte[] payload = in.readNBytes((int) length);
    if (payload.length < length) {
      throw ended();
    }
    return new Frame(isLast, opcode, payload);
  }

  /** Returns the length of a payload, which follows if it is not short. */
  private long length(int announced) throws IOException {
    int bytes =
        switch (announced) {
          case 126 -> Short.BYTES;
          case 127 -> Long.BYTES;
          default -> 0;
        };
    long length = bytes == 0 ? announced : 0;
    for (int i = 0; i < bytes; i++) {
      length = length << 8 | readByte();
    }
    return length;
  }

  private int readByte() throws IOException {
    int next = in.read();
    if (next < 0) {
      throw ended();
    }
    return next;
  }

  private static EOFException ended() {
    return new EOFException("the server ended the connection");
  }

  private static String reason(byte[] payload) {
    return payload.length < 2
        ? ""
        : ((payload[0] & 0xff) << 8 | payload[1] & 0xff)
            + " "
            + new String(payload, 2, payload.length - 2, StandardCharsets.UTF_8);
  }

  private static void check(boolean isAllowed, String what) throws ProtocolException {
    if (!isAllowed) {
      throw new ProtocolException("the server sent what a WebSocket must not have: " + what);
    }
  }
}
