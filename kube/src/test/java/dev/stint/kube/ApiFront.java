package dev.stint.kube;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stint.apiserver.ApiServer;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.cluster.protobuf.ProtobufDocument;
import dev.stint.cluster.protobuf.ProtobufEvents;
import dev.stint.cluster.protobuf.ProtobufList;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.store.Store;
import dev.stint.store.StoreException;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.SimulatedEngine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The part of the Kubernetes API that the client uses, over HTTP on the loopback interface, backed
 * by the in-process API. On demand it misbehaves like networks, proxies and API servers.
 */
final class ApiFront implements AutoCloseable {
  /** The requests, with path and query as they were sent. */
  record Request(
      String method,
      String uri,
      @Nullable String contentType,
      @Nullable String authorization,
      @Nullable String userAgent,
      String accept,
      String body) {
    boolean acceptsProtobuf() {
      return accept.startsWith(ProtobufDocument.MEDIA_TYPE);
    }
  }

  /** An answer in place of the API's. */
  record Answer(int code, String body, @Nullable String retryAfter) {
    Answer(int code, String body) {
      this(code, body, null);
    }
  }

  private static final byte[] END = new byte[0];

  final List<Request> requests = Collections.synchronizedList(new ArrayList<>());
  final Queue<Answer> answers = new ConcurrentLinkedQueue<>();

  /** Answers in protobuf, in place of the API's. */
  final Queue<byte[]> messages = new ConcurrentLinkedQueue<>();

  final Cluster api;

  /** The maximum number of items in a chunk of a list. */
  volatile int chunk = Integer.MAX_VALUE;

  /** True if lists cannot be continued. */
  volatile boolean expired;

  private final ExecutorService store = Executors.newSingleThreadExecutor();
  private final ExecutorService watches = Executors.newSingleThreadExecutor();
  private final ExecutorService handlers = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<BlockingQueue<byte[]>> open = new ConcurrentLinkedQueue<>();
  private final Map<String, ObjectList> snapshots = new ConcurrentHashMap<>();
  private final HttpServer server;

  ApiFront(StoreOptions options) throws IOException, StoreException {
    api =
        new ApiServer(
            Store.open(new SimulatedEngine(), store, options),
            watches,
            InstantSource.system(),
            new SplittableRandom(7),
            FeatureGates.DEFAULT,
            ApiServer.Options.defaults());
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(handlers);
    server.createContext("/", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Sends a line to all watches. */
  void tellWatchers(String line) {
    tellWatchers((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  void tellWatchers(byte[] bytes) {
    open.forEach(watch -> watch.add(bytes));
  }

  /** Closes the connections of all watches. */
  void endWatches() {
    for (BlockingQueue<byte[]> watch = open.poll(); watch != null; watch = open.poll()) {
      watch.add(END);
    }
  }

  @Override
  public void close() {
    endWatches();
    server.stop(0);
    handlers.shutdownNow();
    watches.shutdownNow();
    store.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    String uri = exchange.getRequestURI().toString();
    Headers headers = exchange.getRequestHeaders();
    String body = text(headers.getFirst("Content-Type"), exchange.getRequestBody().readAllBytes());
    Request request =
        new Request(
            exchange.getRequestMethod(),
            uri,
            headers.getFirst("Content-Type"),
            headers.getFirst("Authorization"),
            headers.getFirst("User-Agent"),
            String.valueOf(headers.getFirst("Accept")),
            body);
    requests.add(request);
    Answer canned = answers.poll();
    try (exchange) {
      if (canned != null) {
        if (canned.retryAfter != null) {
          exchange.getResponseHeaders().set("Retry-After", canned.retryAfter);
        }
        answer(exchange, canned.code, canned.body);
      } else if (request.acceptsProtobuf() && !messages.isEmpty()) {
        exchange.getResponseHeaders().set("Content-Type", ProtobufDocument.MEDIA_TYPE);
        answer(exchange, 200, messages.remove());
      } else if (query(exchange).containsKey("watch")) {
        watch(exchange, request.acceptsProtobuf());
      } else {
        Answer answer = answered(() -> served(exchange, request));
        if (request.acceptsProtobuf()) {
          exchange.getResponseHeaders().set("Content-Type", ProtobufDocument.MEDIA_TYPE);
          answer(exchange, answer.code, protobuf(Json.parse(answer.body)));
        } else {
          answer(exchange, answer.code, answer.body);
        }
      }
    }
  }

  private static String text(@Nullable String contentType, byte[] body) {
    return ProtobufDocument.MEDIA_TYPE.equals(contentType)
        ? ProtobufDocument.read(body).toString()
        : new String(body, StandardCharsets.UTF_8);
  }

  private static byte[] protobuf(ObjectNode tree) {
    ArrayNode items = Json.arrayAt(tree, "items");
    if (items == null) {
      return ProtobufDocument.write(tree);
    }
    String apiVersion = String.valueOf(Json.text(tree, "apiVersion"));
    String kind = String.valueOf(Json.text(tree, "kind"));
    String item = kind.substring(0, kind.length() - "List".length());
    ByteArrayOutputStream parts = new ByteArrayOutputStream();
    for (JsonNode each : items) {
      ObjectNode typed = ((ObjectNode) each).put("apiVersion", apiVersion).put("kind", item);
      parts.writeBytes(ProtobufList.item(typed));
    }
    ByteArrayOutputStream list = new ByteArrayOutputStream();
    ObjectNode metadata = Objects.requireNonNull(Json.objectAt(tree, "metadata"));
    list.writeBytes(ProtobufList.start(apiVersion, kind, metadata, parts.size()));
    list.writeBytes(parts.toByteArray());
    list.writeBytes(ProtobufList.end());
    return list.toByteArray();
  }

  private static void answer(HttpExchange exchange, int code, String body) throws IOException {
    answer(exchange, code, body.getBytes(StandardCharsets.UTF_8));
  }

  private static void answer(HttpExchange exchange, int code, byte[] bytes) throws IOException {
    exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static Answer answered(Supplier<ObjectNode> serving) {
    try {
      return new Answer(200, serving.get().toString());
    } catch (CompletionException failure) {
      ClusterException refusal = (ClusterException) ClusterException.causeOf(failure);
      return new Answer(refusal.reason().code(), status(refusal).toString());
    }
  }

  private ObjectNode served(HttpExchange exchange, Request request) {
    Target target = Target.of(exchange.getRequestURI().getPath());
    boolean status = target.status;
    return switch (request.method) {
      case "GET" ->
          target.name == null ? list(target, query(exchange)) : api.get(target.ref()).join().tree();
      case "POST" -> api.create(document(request)).join().tree();
      case "PUT" ->
          (status ? api.updateStatus(document(request)) : api.update(document(request)))
              .join()
              .tree();
      case "PATCH" -> {
        ObjectNode patch = Json.parse(request.body);
        yield (status ? api.patchStatus(target.ref(), patch) : api.patch(target.ref(), patch))
            .join()
            .tree();
      }
      case "DELETE" -> {
        api.delete(target.ref(), options(Json.parse(request.body))).join();
        yield Json.object().put("apiVersion", "v1").put("kind", "Status").put("status", "Success");
      }
      default -> throw new IllegalArgumentException(request.method);
    };
  }

  private static KubeObject document(Request request) {
    return KubeObject.of(Json.parse(request.body));
  }

  private static DeleteOptions options(ObjectNode body) {
    String policy = Objects.requireNonNull(Json.text(body, "propagationPolicy"));
    return new DeleteOptions(
        Json.text(body.get("preconditions"), "uid"),
        Json.text(body.get("preconditions"), "resourceVersion"),
        Json.longInteger(body, "gracePeriodSeconds"),
        DeleteOptions.Propagation.valueOf(policy.toUpperCase(Locale.ROOT)));
  }

  /** Sends items without their kind, as the real API does. */
  private ObjectNode list(Target target, Map<String, String> query) {
    String token = query.get("continue");
    if (token != null && expired) {
      throw new CompletionException(
          new ClusterException(Reason.GONE, "The provided continue parameter is too old"));
    }
    String[] parts = token == null ? new String[0] : token.split(":", -1);
    ObjectList all =
        token == null
            ? api.list(target.kind, target.namespace).join()
            : Objects.requireNonNull(snapshots.get(parts[0]));
    snapshots.put(all.resourceVersion(), all);
    int from = token == null ? 0 : Integer.parseInt(parts[1]);
    int limit = query.containsKey("limit") ? chunk : Integer.MAX_VALUE;
    int to = (int) Math.min(all.items().size(), (long) from + limit);
    ObjectNode list = Json.object();
    list.put("apiVersion", target.kind.apiVersion()).put("kind", target.kind.kind() + "List");
    ObjectNode metadata = list.putObject("metadata");
    metadata.put("resourceVersion", all.resourceVersion());
    if (to < all.items().size()) {
      metadata.put("continue", all.resourceVersion() + ":" + to);
    }
    ArrayNode items = list.putArray("items");
    all.items()
        .subList(from, to)
        .forEach(item -> items.add(item.copy().remove(List.of("apiVersion", "kind"))));
    return list;
  }

  private void watch(HttpExchange exchange, boolean protobuf) throws IOException {
    Target target = Target.of(exchange.getRequestURI().getPath());
    BlockingQueue<byte[]> lines = new LinkedBlockingQueue<>();
    String revision = Objects.requireNonNull(query(exchange).get("resourceVersion"));
    try (Watch _ = api.watch(target.kind, target.namespace, revision, handler(lines, protobuf))) {
      if (protobuf) {
        exchange.getResponseHeaders().set("Content-Type", ProtobufEvents.MEDIA_TYPE);
      }
      exchange.sendResponseHeaders(200, 0);
      OutputStream out = exchange.getResponseBody();
      out.flush();
      open.add(lines);
      for (byte[] line = lines.take(); line != END; line = lines.take()) {
        out.write(line);
        out.flush();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static WatchHandler handler(BlockingQueue<byte[]> lines, boolean protobuf) {
    return new WatchHandler() {
      @Override
      public void onEvent(WatchEvent event) {
        lines.add(event(event.type().name(), event.object().tree(), protobuf));
      }

      @Override
      public void onClosed(@Nullable ClusterException cause) {
        if (cause != null) {
          lines.add(event("ERROR", status(cause), protobuf));
        }
        lines.add(END);
      }
    };
  }

  private static byte[] event(String type, ObjectNode object, boolean protobuf) {
    if (protobuf) {
      byte[] document = ProtobufDocument.write(object);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.writeBytes(ProtobufEvents.start(type, document.length));
      out.writeBytes(document);
      return out.toByteArray();
    }
    ObjectNode event = Json.object().put("type", type);
    event.set("object", object);
    return (event + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static ObjectNode status(ClusterException refusal) {
    ObjectNode status = Json.object().put("apiVersion", "v1").put("kind", "Status");
    status.put("status", "Failure").put("message", refusal.getMessage());
    status.put("reason", word(refusal.reason())).put("code", refusal.reason().code());
    ArrayNode causes = status.putObject("details").putArray("causes");
    refusal
        .causes()
        .forEach(fault ->
            causes
                .addObject()
                .put("reason", fault.type().cause())
                .put("message", fault.detail())
                .put("field", fault.path()));
    return status;
  }

  private static String word(Reason reason) {
    return switch (reason) {
      case GONE -> "Expired";
      case TOO_LARGE -> "RequestEntityTooLarge";
      case INTERNAL -> "InternalError";
      case UNAVAILABLE -> "ServiceUnavailable";
      default ->
          Stream.of(reason.name().split("_"))
              .map(part -> part.charAt(0) + part.substring(1).toLowerCase(Locale.ROOT))
              .collect(Collectors.joining());
    };
  }

  private static Map<String, String> query(HttpExchange exchange) {
    String query = exchange.getRequestURI().getQuery();
    return query == null
        ? Map.of()
        : Stream.of(query.split("&"))
            .map(pair -> pair.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
  }

  /** The target of a path. */
  private record Target(
      Kind kind, @Nullable String namespace, @Nullable String name, boolean status) {
    private static final List<Kind> KINDS = List.of(Kind.JOB, Kind.POD, Kind.CONFIG_MAP);

    static Target of(String path) {
      String[] parts = path.split("/");
      boolean core = parts[1].equals("api");
      String group = core ? "" : parts[2];
      int at = core ? 3 : 4;
      boolean in = parts[at].equals("namespaces");
      int plural = in ? at + 2 : at;
      Kind kind =
          KINDS.stream()
              .filter(k -> k.group().equals(group) && k.plural().equals(parts[plural]))
              .findFirst()
              .orElseThrow();
      return new Target(
          kind,
          in ? parts[at + 1] : null,
          parts.length > plural + 1 ? parts[plural + 1] : null,
          parts.length > plural + 2);
    }

    ObjectRef ref() {
      return new ObjectRef(kind, Objects.requireNonNull(namespace), Objects.requireNonNull(name));
    }
  }
}
