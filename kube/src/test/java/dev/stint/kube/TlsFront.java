package dev.stint.kube;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.stint.apiserver.access.pki.Pki;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * An API over HTTPS that answers each request for its version with the identity of the client: the
 * serial number of the certificate, or the token.
 */
final class TlsFront implements AutoCloseable {
  /** The clients that the API does not accept (any more). */
  final Set<String> unknown = ConcurrentHashMap.newKeySet();

  /** True if it serves nobody without a certificate that it trusts: others see no answer. */
  volatile boolean demandsCertificates;

  private final ExecutorService handlers = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpsServer server;

  /**
   * @param port 0 for any
   */
  TlsFront(Pki pki, int port) throws IOException, GeneralSecurityException {
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    SSLContext context = pki.serverContext();
    server.setHttpsConfigurator(
        new HttpsConfigurator(context) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters asked = context.getDefaultSSLParameters();
            if (demandsCertificates) {
              asked.setNeedClientAuth(true);
            } else {
              asked.setWantClientAuth(true);
            }
            parameters.setSSLParameters(asked);
          }
        });
    server.setExecutor(handlers);
    server.createContext(
        "/version", exchange -> answer((HttpsExchange) exchange, "{\"gitVersion\":\"%s\"}"));
    server.createContext(
        "/api/v1/pods",
        exchange ->
            answer(
                (HttpsExchange) exchange,
                """
                {"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","resourceVersion":"2"}}}
                """));
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    handlers.shutdownNow();
  }

  private void answer(HttpsExchange exchange, String answer) throws IOException {
    String who = who(exchange);
    try (exchange) {
      if (unknown.contains(who)) {
        send(exchange, 401, "{\"kind\":\"Status\",\"reason\":\"Unauthorized\"}");
      } else {
        send(exchange, 200, answer.formatted(who));
      }
    }
  }

  private static String who(HttpsExchange exchange) throws IOException {
    String token = exchange.getRequestHeaders().getFirst("Authorization");
    return token == null
        ? serial((X509Certificate) exchange.getSSLSession().getPeerCertificates()[0])
        : token;
  }

  static String serial(X509Certificate certificate) {
    return certificate.getSerialNumber().toString();
  }

  private static void send(HttpExchange exchange, int code, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
