package dev.stint.runner.runtime;

import dev.stint.runner.spec.Handler;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A client of {@code grpc.health.v1.Health/Check} ("GRPC Health Checking Protocol"), which speaks
 * just enough of HTTP/2 (RFC 9113) for one request without TLS. It reads the answer's message and
 * no headers, so it cannot tell why there is no message.
 */
final class GrpcHealth {
  private static final String METHOD = "/grpc.health.v1.Health/Check";
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** The largest frame, as nothing else is agreed on. */
  private static final int LONGEST_FRAME = 16_384;

  private static final int MOST_FRAMES = 64;
  private static final int STREAM = 1;

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RESET = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GO_AWAY = 7;

  private static final int ACK = 1;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int PADDED = 8;

  /** A message begins with a byte for its compression, and its length. */
  private static final int MESSAGE_HEAD = 5;

  private static final String[] STATUSES = {"UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"};

  private record Frame(int type, int flags, int stream, ByteBuffer payload) {
    boolean has(int flag) {
      return (flags & flag) != 0;
    }
  }

  private final DataInputStream in;
  private final OutputStream out;

  private GrpcHealth(Socket socket) throws IOException {
    this.in = new DataInputStream(socket.getInputStream());
    this.out = socket.getOutputStream();
  }

  /**
   * Asks for the health of a service; empty for the whole server.
   *
   * @param authority the address of the server
   */
  static Handler.Result check(Socket socket, String authority, String service) throws IOException {
    GrpcHealth health = new GrpcHealth(socket);
    try {
      health.out.write(request(authority, service));
      health.out.flush();
      return verdict(health.answer(), service);
    } catch (EOFException end) {
      return Handler.Result.bad("the connection was closed without an answer");
    }
  }

  private static Handler.Result verdict(byte[] message, String service) {
    if (message.length < MESSAGE_HEAD || message[0] != 0) {
      return Handler.Result.bad(
          "no health status: the server does not implement grpc.health.v1.Health, or does not know"
              + " the service \"%s\"".formatted(service));
    }
    int status = status(message);
    return status == 1
        ? Handler.Result.GOOD
        : Handler.Result.bad(
            "service unhealthy (responded with \"%s\")"
                .formatted(
                    status >= 0 && status < STATUSES.length
                        ? STATUSES[status]
                        : String.valueOf(status)));
  }

  /** Returns the status of a HealthCheckResponse: its field 1, whose default is 0. */
  private static int status(byte[] message) {
    boolean present = message.length >= MESSAGE_HEAD + 2 && message[MESSAGE_HEAD] == 8;
    return present ? message[MESSAGE_HEAD + 1] : 0;
  }

  private static byte[] request(String authority, String service) {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes(PREFACE);
    request.writeBytes(frame(SETTINGS, 0, 0, new byte[0]));
    request.writeBytes(frame(HEADERS, END_HEADERS, STREAM, headers(authority)));
    request.writeBytes(frame(DATA, END_STREAM, STREAM, message(service)));
    return request.toByteArray();
  }

  /** Returns the headers in HPACK (RFC 7541), by its static table and without compression. */
  private static byte[] headers(String authority) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.write(0x83); // :method POST
    block.write(0x86); // :scheme http
    block.write(0x04); // :path
    literal(METHOD, block);
    block.write(0x01); // :authority
    literal(authority, block);
    block.writeBytes(new byte[] {0x0f, 0x10}); // content-type
    literal("application/grpc", block);
    block.writeBytes(new byte[] {0x0f, 0x2b}); // user-agent
    literal(NetworkCheck.USER_AGENT, block);
    block.write(0x00);
    literal("te", block);
    literal("trailers", block);
    return block.toByteArray();
  }

  /** Writes a text that is shorter than 127 bytes. */
  private static void literal(String text, ByteArrayOutputStream block) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    block.write(bytes.length);
    block.writeBytes(bytes);
  }

  /** Returns a HealthCheckRequest, whose field 1 is the service, with the head of a message. */
  private static byte[] message(String service) {
    byte[] name = service.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    if (name.length > 0) {
      message.write(0x0a);
      int rest = name.length;
      for (; rest >= 0x80; rest >>>= 7) {
        message.write(rest & 0x7f | 0x80);
      }
      message.write(rest);
      message.writeBytes(name);
    }
    return ByteBuffer.allocate(MESSAGE_HEAD + message.size())
        .put((byte) 0)
        .putInt(message.size())
        .put(message.toByteArray())
        .array();
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .put((byte) (payload.length >>> 16))
        .putShort((short) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /** Returns the message of the answer; an empty one if there is none. */
  private byte[] answer() throws IOException {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    for (int i = 0; i < MOST_FRAMES; i++) {
      Frame frame = read();
      switch (frame.type()) {
        case SETTINGS -> answer(frame, new byte[0]);
        case PING -> answer(frame, frame.payload().array());
        case GO_AWAY, RESET -> throw new IOException("the server ended the connection early");
        case DATA -> message.writeBytes(data(frame));
        default -> {}
      }
      boolean ours = frame.type() <= HEADERS && frame.stream() == STREAM;
      if (ours && (frame.has(END_STREAM) || isWhole(message.toByteArray()))) {
        return message.toByteArray();
      }
    }
    throw new IOException("the server sends frames without an end");
  }

  private void answer(Frame frame, byte[] payload) throws IOException {
    if (!frame.has(ACK)) {
      out.write(frame(frame.type(), ACK, 0, payload));
      out.flush();
    }
  }

  private static byte[] data(Frame frame) throws IOException {
    ByteBuffer payload = frame.payload();
    if (frame.has(PADDED)) {
      int padding = payload.hasRemaining() ? payload.get() & 0xff : 0;
      if (padding > payload.remaining()) {
        throw new IOException("the answer is not HTTP/2");
      }
      payload.limit(payload.limit() - padding);
    }
    byte[] bytes = new byte[payload.remaining()];
    payload.get(bytes);
    return bytes;
  }

  private static boolean isWhole(byte[] message) {
    return message.length >= MESSAGE_HEAD
        && message.length - MESSAGE_HEAD
            >= Integer.toUnsignedLong(ByteBuffer.wrap(message).getInt(1));
  }

  private Frame read() throws IOException {
    int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
    if (length > LONGEST_FRAME) {
      throw new IOException("the answer is not HTTP/2");
    }
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int stream = in.readInt() & 0x7fffffff;
    byte[] payload = new byte[length];
    in.readFully(payload);
    return new Frame(type, flags, stream, ByteBuffer.wrap(payload));
  }
}
