package dev.stint.cli.assets;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * The program {@code etcd} of a test environment. Stint keeps its state itself, so this one only
 * says that it is healthy, until somebody ends it.
 */
public final class EtcdProgram implements TestProgram {
  private static final String URLS = "listen-client-urls";
  private static final String USUAL_URL = "http://localhost:2379";
  private static final int USUAL_PORT = 2379;
  private static final byte[] HEALTHY = "{\"health\":\"true\"}".getBytes(UTF_8);

  private final Console console;

  public EtcdProgram(Console console) {
    this.console = console;
  }

  @Override
  public int run(String... args) {
    GoFlags flags = GoFlags.parse(args);
    if (flags.has("help") || flags.has("h")) {
      help();
      return ExitCode.OK.status();
    }
    List<String> urls = flags.entries(URLS);
    List<HttpServer> servers =
        (urls.isEmpty() ? List.of(USUAL_URL) : urls).stream().map(this::serve).toList();
    try {
      new CountDownLatch(1).await(); // A signal ends the process.
    } catch (InterruptedException ended) {
      servers.forEach(server -> server.stop(0));
      Thread.currentThread().interrupt();
    }
    return ExitCode.OK.status();
  }

  private void help() {
    console
        .out()
        .println(
            """
            Usage: etcd [flags]

            Answers /health until it is ended. Stint keeps its state itself: nothing is stored here.

              --listen-client-urls URLS  where to answer, such as http://127.0.0.1:2379
            All other flags are accepted and ignored.\
            """);
  }

  private HttpServer serve(String url) {
    InetSocketAddress address = address(url);
    try {
      HttpServer server = HttpServer.create(address, 0);
      server.createContext("/", EtcdProgram::answer);
      server.start();
      console.say("etcd answers " + url + "/health");
      return server;
    } catch (IOException taken) {
      throw new UserException("etcd: --%s: %s: %s".formatted(URLS, url, taken.getMessage()));
    }
  }

  private static InetSocketAddress address(String text) {
    try {
      URI url = URI.create(text);
      if ("http".equals(url.getScheme()) && url.getHost() != null) {
        int port = url.getPort() < 0 ? USUAL_PORT : url.getPort();
        return new InetSocketAddress(url.getHost().replaceAll("[\\[\\]]", ""), port);
      }
    } catch (IllegalArgumentException malformed) {
      // Reported below.
    }
    throw new UserException(
        "etcd: --%s: \"%s\" is not of the form http://HOST:PORT".formatted(URLS, text));
  }

  private static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (exchange.getRequestURI().getPath().equals("/health")) {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, HEALTHY.length);
        try (OutputStream body = exchange.getResponseBody()) {
          body.write(HEALTHY);
        }
      } else {
        exchange.sendResponseHeaders(404, -1);
      }
    }
  }
}
