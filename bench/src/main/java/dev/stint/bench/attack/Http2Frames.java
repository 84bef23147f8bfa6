package dev.stint.bench.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** The few frames of HTTP/2 that attacks send, with headers that need no compression. */
final class Http2Frames {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int SETTINGS = 4;
  static final int CONTINUATION = 9;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;

  private Http2Frames() {}

  /** Returns the begin of a connection. */
  static byte[] preface() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1));
    all.writeBytes(frame(SETTINGS, 0, 0, new byte[0]));
    return all.toByteArray();
  }

  static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .put((byte) (payload.length >> 16))
        .putShort((short) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /** Returns a block of headers: the pseudo ones, and a token. */
  static byte[] head(String method, String path, String token) {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    field(head, ":method", method);
    field(head, ":scheme", "https");
    field(head, ":path", path);
    field(head, ":authority", "localhost");
    if (!token.isEmpty()) {
      field(head, "authorization", "Bearer " + token);
    }
    return head.toByteArray();
  }

  private static void field(ByteArrayOutputStream head, String name, String value) {
    head.write(0);
    text(head, name);
    text(head, value);
  }

  private static void text(ByteArrayOutputStream head, String text) {
    int length = text.length();
    head.write(Math.min(length, 127));
    if (length >= 127) {
      int more = length - 127;
      for (; more >= 128; more >>= 7) {
        head.write(more & 127 | 128);
      }
      head.write(more);
    }
    head.writeBytes(text.getBytes(ISO_8859_1));
  }
}
