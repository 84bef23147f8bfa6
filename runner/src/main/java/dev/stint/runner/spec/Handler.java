package dev.stint.runner.spec;

import dev.stint.model.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The action of a probe or a lifecycle hook ("Container hooks", "Probe check mechanisms"). */
public sealed interface Handler {
  /** Runs a command in the container; succeeds if it exits with 0. */
  record Exec(List<String> command) implements Handler {
    public Exec {
      command = List.copyOf(command);
    }
  }

  /**
   * Sends a GET; succeeds if the status is 200 to 399.
   *
   * @param host empty for the pod's own address
   * @param port 0 if the container has no port of the given name
   * @param tls true to speak TLS; certificates are not verified
   */
  record HttpGet(String host, int port, String path, boolean tls, Map<String, String> headers)
      implements Handler {
    public HttpGet {
      headers = Map.copyOf(headers);
    }
  }

  /**
   * Opens a connection.
   *
   * @param host empty for the pod's own address
   * @param port 0 if the container has no port of the given name
   */
  record TcpSocket(String host, int port) implements Handler {}

  /** Asks a server for its health, in gRPC's protocol for that; succeeds if it is serving. */
  record Grpc(int port, String service) implements Handler {}

  /** Sleeps. The runner does so itself; no runtime sees one. */
  record Sleep(Duration duration) implements Handler {}

  /**
   * The result of a handler.
   *
   * @param known false if it could not be carried out, which says nothing about the container
   * @param message the reason of a failure; for people
   */
  record Result(boolean good, boolean known, String message) {
    public static final Result GOOD = new Result(true, true, "");

    public static Result bad(String message) {
      return new Result(false, true, message);
    }

    /** Returns the result of a handler that could not be carried out. */
    public static Result unknown(String message) {
      return new Result(false, false, message);
    }
  }

  /**
   * Reads a probe, or one hook of a lifecycle.
   *
   * @return null if there is none, or none of a known kind
   */
  static @Nullable Handler of(@Nullable ObjectNode parent, ObjectNode container) {
    ObjectNode exec = Json.objectAt(parent, "exec");
    if (exec != null) {
      return new Exec(command(exec));
    }
    ObjectNode http = Json.objectAt(parent, "httpGet");
    if (http != null) {
      String path = orEmpty(Json.text(http, "path"));
      return new HttpGet(
          orEmpty(Json.text(http, "host")),
          port(http, container),
          path.startsWith("/") ? path : "/" + path,
          "HTTPS".equals(Json.text(http, "scheme")),
          headers(http));
    }
    ObjectNode tcp = Json.objectAt(parent, "tcpSocket");
    if (tcp != null) {
      return new TcpSocket(orEmpty(Json.text(tcp, "host")), port(tcp, container));
    }
    ObjectNode grpc = Json.objectAt(parent, "grpc");
    if (grpc != null) {
      return new Grpc(port(grpc, container), orEmpty(Json.text(grpc, "service")));
    }
    Long seconds = Json.longInteger(Json.objectAt(parent, "sleep"), "seconds");
    return seconds == null ? null : new Sleep(Duration.ofSeconds(seconds));
  }

  private static List<String> command(ObjectNode exec) {
    List<String> words = new ArrayList<>();
    ArrayNode command = Json.arrayAt(exec, "command");
    if (command != null) {
      command.forEach(word -> words.add(word.stringValue("")));
    }
    return words;
  }

  private static Map<String, String> headers(ObjectNode http) {
    Map<String, String> headers = new LinkedHashMap<>();
    ArrayNode given = Json.arrayAt(http, "httpHeaders");
    if (given != null) {
      given.forEach(header ->
          headers.put(orEmpty(Json.text(header, "name")), orEmpty(Json.text(header, "value"))));
    }
    return headers;
  }

  /** Returns a port by its number, or by the container's name for it. */
  private static int port(ObjectNode handler, ObjectNode container) {
    Integer number = Json.integer(handler, "port");
    if (number != null) {
      return number;
    }
    String name = Json.text(handler, "port");
    ArrayNode ports = Json.arrayAt(container, "ports");
    if (name != null && ports != null) {
      for (JsonNode port : ports) {
        Integer found = Json.integer(port, "containerPort");
        if (name.equals(Json.text(port, "name")) && found != null) {
          return found;
        }
      }
    }
    return 0;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
