package dev.stint.kube;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** An OpenID Connect provider on the loopback interface that gives everybody the same token. */
final class TokenIssuer implements AutoCloseable {
  private final AtomicInteger renewals = new AtomicInteger();
  private final HttpServer server;

  TokenIssuer(String token) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/.well-known/openid-configuration",
        exchange -> answer(exchange, "{\"token_endpoint\":\"" + url() + "/token\"}"));
    server.createContext(
        "/token",
        exchange -> {
          renewals.incrementAndGet();
          answer(exchange, "{\"id_token\":\"" + token + "\",\"refresh_token\":\"next\"}");
        });
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Returns how often it was asked for a token. */
  int renewals() {
    return renewals.get();
  }

  private static void answer(HttpExchange exchange, String body) throws IOException {
    try (exchange) {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
