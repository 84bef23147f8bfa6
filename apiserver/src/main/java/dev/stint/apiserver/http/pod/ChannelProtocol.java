package dev.stint.apiserver.http.pod;

import java.util.Arrays;
import java.util.List;

/** The WebSocket subprotocols of remote commands. */
enum ChannelProtocol {
  V5("v5.channel.k8s.io"),
  V4("v4.channel.k8s.io"),
  V4_BASE64("v4.base64.channel.k8s.io"),
  V3("v3.channel.k8s.io"),
  V2("v2.channel.k8s.io"),
  V1("channel.k8s.io"),
  V1_BASE64("base64.channel.k8s.io"),
  /** The protocol of clients that name none: the first version. */
  UNNAMED("");

  private final String subprotocol;

  ChannelProtocol(String subprotocol) {
    this.subprotocol = subprotocol;
  }

  static ChannelProtocol of(String subprotocol) {
    return Arrays.stream(values())
        .filter(each -> each.subprotocol.equals(subprotocol))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(subprotocol));
  }

  /** Returns the subprotocols, the preferred one first. */
  static List<String> names() {
    return Arrays.stream(values()).map(each -> each.subprotocol).toList();
  }

  /** True if messages are text, with their payloads in base64. */
  boolean isBase64() {
    return this == V4_BASE64 || this == V1_BASE64;
  }

  /** True if the outcome is an object of kind {@code Status}; else it is a failure's message. */
  boolean sendsStatus() {
    return compareTo(V4_BASE64) <= 0;
  }

  /** True if the server sends an empty message once the connection is established. */
  boolean greets() {
    return this != V5;
  }

  /** True if the client can close its input alone. */
  boolean closesStreams() {
    return this == V5;
  }
}
