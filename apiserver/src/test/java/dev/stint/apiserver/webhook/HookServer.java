package dev.stint.apiserver.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.stint.apiserver.access.pki.ServerCertificate;
import dev.stint.model.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A webhook on the loopback interface. */
public final class HookServer implements AutoCloseable {
  public static final String SERVICE_HOST = "hook.system.svc";

  private final ServerCertificate certificate = new ServerCertificate(SERVICE_HOST, "127.0.0.1");
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<ObjectNode> requests = new CopyOnWriteArrayList<>();
  private final HttpsServer server;
  private volatile Answer answer;

  /** Answers requests. */
  public interface Answer {
    void to(HttpExchange exchange, ObjectNode request) throws IOException;
  }

  public HookServer(Answer answer) {
    this.answer = answer;
    try {
      server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException fault) {
      throw new IllegalStateException(fault);
    }
    server.setHttpsConfigurator(new HttpsConfigurator(certificate.context()));
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      ObjectNode request = Json.parse(exchange.getRequestBody().readAllBytes());
      requests.add(request);
      answer.to(exchange, request);
    }
  }

  /** Answers with JSON. */
  public static void json(HttpExchange exchange, ObjectNode tree) throws IOException {
    byte[] body = Json.bytes(tree);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
  }

  /**
   * Returns the answer to a conversion review: its objects in the wanted version.
   *
   * @param change changes each object besides
   */
  public static ObjectNode converted(ObjectNode review, Consumer<ObjectNode> change) {
    ObjectNode answer = Json.object();
    answer.set("apiVersion", review.get("apiVersion"));
    answer.set("kind", review.get("kind"));
    ObjectNode response = answer.putObject("response");
    response.set("uid", review.at("/request/uid"));
    response.putObject("result").put("status", "Success");
    ArrayNode objects = response.putArray("convertedObjects");
    for (JsonNode object : review.at("/request/objects")) {
      ObjectNode copy = (ObjectNode) object.deepCopy();
      copy.set("apiVersion", review.at("/request/desiredAPIVersion"));
      change.accept(copy);
      objects.add(copy);
    }
    return answer;
  }

  public void answer(Answer other) {
    answer = other;
  }

  /** Returns what was asked so far. */
  public List<ObjectNode> requests() {
    return requests;
  }

  public ServerCertificate certificate() {
    return certificate;
  }

  public InetSocketAddress address() {
    return server.getAddress();
  }

  public String url() {
    return "https://127.0.0.1:" + address().getPort() + "/convert";
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
