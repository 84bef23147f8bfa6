package dev.stint.apiserver.http.pod;

import dev.stint.apiserver.http.WebSocketSession;
import dev.stint.model.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** The channels that share one WebSocket: the first byte of each message names its channel. */
final class WebSocketChannels {
  static final int STDIN = 0;
  static final int STDOUT = 1;
  static final int STDERR = 2;
  static final int RESIZE = 4;
  static final int CLOSE = 255;

  private static final Logger LOG = LoggerFactory.getLogger(WebSocketChannels.class);
  private static final int ERROR = 3;

  private final WebSocketSession.Frames frames;
  private final ChannelProtocol protocol;

  WebSocketChannels(WebSocketSession.Frames frames, ChannelProtocol protocol) {
    this.frames = frames;
    this.protocol = protocol;
  }

  /** A message of the client. */
  @SuppressWarnings("ArrayRecordComponent") // on its way, never compared
  record Message(int channel, byte[] payload) {}

  /** Sends the message that the connection is established, if the protocol has one. */
  void greet(boolean stdout, boolean stderr) throws IOException {
    if (protocol.greets()) {
      int lowest = stderr ? STDERR : ERROR;
      send(stdout ? STDOUT : lowest, new byte[0]);
    }
  }

  /** Sends the outcome, an object of kind {@code Status}. */
  void end(ObjectNode status) throws IOException {
    if (protocol.sendsStatus()) {
      send(ERROR, Json.bytes(status));
    } else if (!"Success".equals(Json.text(status, "status"))) {
      send(ERROR, status.path("message").asString("").getBytes(StandardCharsets.UTF_8));
    }
  }

  void send(int channel, byte[] payload) throws IOException {
    if (protocol.isBase64()) {
      frames.sendText((char) ('0' + channel) + Base64.getEncoder().encodeToString(payload));
      return;
    }
    byte[] message = new byte[payload.length + 1];
    message[0] = (byte) channel;
    System.arraycopy(payload, 0, message, 1, payload.length);
    frames.send(message);
  }

  /** Waits for the next message; returns null once the client has disconnected. */
  @Nullable Message receive() throws InterruptedException {
    for (byte[] bytes = frames.receive(); bytes != null; bytes = frames.receive()) {
      Message message = bytes.length == 0 ? null : message(bytes);
      if (message != null) {
        return message;
      }
    }
    return null;
  }

  /** Decodes a message; returns null if it means nothing in this protocol. */
  private @Nullable Message message(byte[] bytes) {
    byte[] payload = Arrays.copyOfRange(bytes, 1, bytes.length);
    int channel = bytes[0] & 0xff;
    if (!protocol.isBase64()) {
      boolean known = channel != CLOSE || protocol.closesStreams();
      return known ? new Message(channel, payload) : null;
    }
    try {
      return new Message(channel - '0', Base64.getDecoder().decode(payload));
    } catch (IllegalArgumentException malformed) {
      LOG.debug("Ignoring a message for channel {}: it is not base64", channel - '0');
      return null;
    }
  }
}
