package dev.stint.apiserver.http;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.StatusObjects;
import dev.stint.cluster.protobuf.ProtobufDocument;
import dev.stint.model.Json;
import dev.stint.model.document.YamlWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The response to a request. */
public sealed interface ApiResponse {
  String JSON = "application/json";
  String TEXT = "text/plain; charset=utf-8";

  int code();

  String type();

  List<Header> headers();

  /** Returns this response with more headers; an upgrade has none. */
  default ApiResponse with(List<Header> more) {
    if (more.isEmpty()) {
      return this;
    }
    List<Header> all = new ArrayList<>(headers());
    all.addAll(more);
    return switch (this) {
      case Whole(int code, String type, byte[] body, _) ->
          new Whole(code, type, body, List.copyOf(all));
      case Streamed(int code, String type, Body body, _) ->
          new Streamed(code, type, body, List.copyOf(all));
      case Upgraded upgraded -> upgraded;
    };
  }

  /** One header of a response. */
  record Header(String name, String value) {}

  /** A response with a complete body. */
  @SuppressWarnings("ArrayRecordComponent") // on its way out, never compared
  record Whole(int code, String type, byte[] body, List<Header> headers) implements ApiResponse {
    /** Returns this response with warnings for the user. */
    public Whole warning(List<String> warnings) {
      if (warnings.isEmpty()) {
        return this;
      }
      return new Whole(code, type, body, withWarnings(headers, warnings));
    }

    private static List<Header> withWarnings(List<Header> headers, List<String> warnings) {
      List<Header> all = new ArrayList<>(headers);
      warnings.forEach(warning -> all.add(new Header("Warning", "299 - " + quoted(warning))));
      return List.copyOf(all);
    }

    /** Returns this response with its JSON body in YAML. */
    public Whole inYaml() {
      byte[] text = YamlWriter.text(Json.parse(body)).getBytes(StandardCharsets.UTF_8);
      return new Whole(code, "application/yaml", text, headers);
    }

    /** Returns this response with its JSON body in protobuf. */
    public Whole inProtobuf() {
      byte[] document = ProtobufDocument.write(Json.parse(body));
      return new Whole(code, ProtobufDocument.MEDIA_TYPE, document, headers);
    }

    /**
     * Returns a quoted text without control characters. Each byte of its UTF-8 is one character, as
     * in Kubernetes' answers: the encoder of HTTP/2 fails at characters above 255.
     */
    private static String quoted(String text) {
      StringBuilder quoted = new StringBuilder("\"");
      text.chars()
          .filter(c -> !Character.isISOControl(c))
          .forEach(c -> quoted.append(c == '"' || c == '\\' ? "\\" : "").append((char) c));
      byte[] bytes = quoted.append('"').toString().getBytes(StandardCharsets.UTF_8);
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }
  }

  /** A response that is written in pieces over time. */
  record Streamed(int code, String type, Body body, List<Header> headers) implements ApiResponse {
    /** Returns this response with warnings for the user. */
    public Streamed warning(List<String> warnings) {
      return warnings.isEmpty()
          ? this
          : new Streamed(code, type, body, Whole.withWarnings(headers, warnings));
    }
  }

  /**
   * An upgrade to a WebSocket.
   *
   * @param protocol known to both sides; "" if the client offers none
   */
  record Upgraded(String protocol, WebSocketSession conversation) implements ApiResponse {
    @Override
    public int code() {
      return 101;
    }

    @Override
    public String type() {
      return "";
    }

    @Override
    public List<Header> headers() {
      return List.of();
    }
  }

  /** Writes a streamed response, in a thread that may block. */
  interface Body {
    void writeTo(Sink sink) throws IOException, InterruptedException;

    /** True if it ends by itself, so that it does not count as a stream. */
    default boolean isFinite() {
      return false;
    }

    /** Returns what writing it holds beside the piece that is being sent, in bytes. */
    default long memory() {
      return 0;
    }

    /** Called instead of {@link #writeTo} if another response is sent. */
    default void onRefused(Whole instead) {}
  }

  /** Makes a piece of a response. */
  @FunctionalInterface
  interface Piece {
    byte[] bytes();
  }

  /** The client's end of a streamed response. */
  interface Sink {
    /** Sends at once. Blocks while a client is slow; fails if it has disconnected. */
    void write(byte[] bytes) throws IOException;

    /**
     * Makes a piece and sends it at once, as soon as there is memory for it.
     *
     * @param size its approximate length
     */
    default void write(long size, Piece piece) throws IOException {
      write(piece.bytes());
    }

    /** Takes memory for what is held beside pieces; false if it does not fit. */
    default boolean takes(long bytes) {
      return true;
    }

    /** Gives back what {@link #takes} took, so that it is not held until the end. */
    default void givesBack(long bytes) {}

    /**
     * Runs a task, soon and on some thread, once the client has disconnected or the server stops.
     */
    void onClose(Runnable task);
  }

  /** Returns a JSON response. */
  static Whole json(int code, ObjectNode tree) {
    return new Whole(code, JSON, Json.bytes(tree), List.of());
  }

  /** Returns a plain text response. */
  static Whole text(int code, String text) {
    return new Whole(code, TEXT, text.getBytes(StandardCharsets.UTF_8), List.of());
  }

  /** Returns a refusal as a {@code Status} object. */
  static Whole refused(ClusterException why) {
    Integer after = StatusObjects.retryAfterSeconds(why);
    List<Header> headers =
        after == null ? List.of() : List.of(new Header("Retry-After", after.toString()));
    return new Whole(why.reason().code(), JSON, Json.bytes(StatusObjects.of(why)), headers);
  }
}
