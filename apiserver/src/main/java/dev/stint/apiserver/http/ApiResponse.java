package dev.stint.apiserver.http;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.StatusObjects;
import dev.stint.model.Json;
import dev.stint.model.document.YamlWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** What a request is answered with. */
public sealed interface ApiResponse {
  String JSON = "application/json";
  String TEXT = "text/plain; charset=utf-8";

  int code();

  String type();

  List<Header> headers();

  /** One header of an answer. */
  record Header(String name, String value) {}

  /** An answer that is there as a whole. */
  @SuppressWarnings("ArrayRecordComponent") // on its way out, never compared
  record Whole(int code, String type, byte[] body, List<Header> headers) implements ApiResponse {
    /** This answer, with warnings for the person who asked. */
    public Whole warning(List<String> warnings) {
      if (warnings.isEmpty()) {
        return this;
      }
      List<Header> all = new ArrayList<>(headers);
      warnings.forEach(warning -> all.add(new Header("Warning", "299 - " + quoted(warning))));
      return new Whole(code, type, body, List.copyOf(all));
    }

    /** This answer, whose body is JSON, in YAML. */
    public Whole inYaml() {
      byte[] text = YamlWriter.text(Json.parse(body)).getBytes(StandardCharsets.UTF_8);
      return new Whole(code, "application/yaml", text, headers);
    }

    private static String quoted(String text) {
      StringBuilder quoted = new StringBuilder("\"");
      text.chars()
          .filter(c -> c >= ' ' && c != 127)
          .forEach(c -> quoted.append(c == '"' || c == '\\' ? "\\" : "").append((char) c));
      return quoted.append('"').toString();
    }
  }

  /** An answer that comes piece by piece, for as long as it takes. */
  record Streamed(int code, String type, Body body, List<Header> headers) implements ApiResponse {}

  /**
   * Going on over a WebSocket.
   *
   * @param protocol that both sides know; "" where the client offers none
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

  /** Writes a streamed answer, in a thread that may wait. */
  interface Body {
    void writeTo(Sink sink) throws IOException, InterruptedException;
  }

  /** Where a streamed answer goes. */
  interface Sink {
    /** Sends at once. Waits for a slow client; fails where it is gone. */
    void write(byte[] bytes) throws IOException;

    /** Runs, in some thread and soon, once the client is gone or the server stops. */
    void onClose(Runnable task);
  }

  /** JSON. */
  static Whole json(int code, ObjectNode tree) {
    return new Whole(code, JSON, Json.bytes(tree), List.of());
  }

  /** Plain text. */
  static Whole text(int code, String text) {
    return new Whole(code, TEXT, text.getBytes(StandardCharsets.UTF_8), List.of());
  }

  /** Why not, as the object that clients of Kubernetes know. */
  static Whole refused(ClusterException why) {
    Integer after = StatusObjects.retryAfterSeconds(why);
    List<Header> headers =
        after == null ? List.of() : List.of(new Header("Retry-After", after.toString()));
    return new Whole(why.reason().code(), JSON, Json.bytes(StatusObjects.of(why)), headers);
  }
}
