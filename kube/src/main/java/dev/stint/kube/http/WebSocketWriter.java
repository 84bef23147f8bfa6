package dev.stint.kube.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Writes a client's frames of a WebSocket (RFC 6455), each with a mask of its own. */
final class WebSocketWriter {
  private static final int LAST = 0x80;
  private static final int MASKED = 0x80;
  private static final int MOST_HEAD_BYTES = 14;

  private final OutputStream out;
  private final RandomGenerator random;

  WebSocketWriter(OutputStream out, RandomGenerator random) {
    this.out = out;
    this.random = random;
  }

  /**
   * Sends one frame; waits for the server to take it. Any thread may call it.
   *
   * @param payload called once the frames before it are sent
   */
  synchronized void send(int opcode, Supplier<byte[]> payload) throws IOException {
    write(opcode, payload.get());
  }

  private void write(int opcode, byte[] payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(MOST_HEAD_BYTES + payload.length);
    frame.put((byte) (LAST | opcode));
    putLength(frame, payload.length);
    byte[] mask = new byte[Integer.BYTES];
    random.nextBytes(mask);
    frame.put(mask);
    for (int i = 0; i < payload.length; i++) {
      frame.put((byte) (payload[i] ^ mask[i % mask.length]));
    }
    out.write(frame.array(), 0, frame.position());
    out.flush();
  }

  private static void putLength(ByteBuffer frame, int length) {
    if (length < 126) {
      frame.put((byte) (MASKED | length));
    } else if (length < 1 << 16) {
      frame.put((byte) (MASKED | 126)).putShort((short) length);
    } else {
      frame.put((byte) (MASKED | 127)).putLong(length);
    }
  }
}
