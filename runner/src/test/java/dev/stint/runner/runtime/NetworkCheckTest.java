package dev.stint.runner.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.stint.runner.spec.Handler;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class NetworkCheckTest {
  private static final String LOCALHOST = "127.0.0.1";
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final LinkedBlockingQueue<String> asked = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<HttpServer> servers = new LinkedBlockingQueue<>();

  @AfterEach
  void stopServers() {
    servers.forEach(server -> server.stop(0));
  }

  @Test
  void anAnswerOf200To399IsGood() throws Exception {
    int port = serve(HttpServer.create(ANY_PORT, 0));
    assertThat(get(port, "/200", false)).isEqualTo(Handler.Result.GOOD);
    assertThat(get(port, "/302", false)).isEqualTo(Handler.Result.GOOD);
    assertThat(get(port, "/404", false))
        .isEqualTo(Handler.Result.bad("HTTP probe failed with statuscode: 404"));
    assertThat(get(port, "/503", false).good()).isFalse();
  }

  @Test
  void headersAreSentAsTheyAreGivenTheHostToo() throws Exception {
    int port = serve(HttpServer.create(ANY_PORT, 0));
    Handler.HttpGet get =
        new Handler.HttpGet("", port, "/200?a=b c", false, Map.of("host", "example.test"));
    assertThat(NetworkCheck.http(get, LOCALHOST).get().good()).isTrue();
    assertThat(asked.take()).isEqualTo("/200?a=b%20c example.test [kube-probe/1.36]");
    Handler.HttpGet broken =
        new Handler.HttpGet("", port, "/200", false, Map.of("X", "y\r\nHost: z"));
    assertThat(NetworkCheck.http(broken, LOCALHOST).get().message()).contains("control character");
  }

  @Test
  void anyCertificateIsAccepted(@TempDir Path dir) throws Exception {
    HttpsServer server = HttpsServer.create(ANY_PORT, 0);
    server.setHttpsConfigurator(new HttpsConfigurator(selfSigned(dir.resolve("keys"))));
    int port = serve(server);
    assertThat(get(port, "/200", true)).isEqualTo(Handler.Result.GOOD);
    assertThat(get(port, "/500", true).good()).isFalse();
  }

  @Test
  void aListeningPortPasses() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(tcp(server.getLocalPort()).get()).isEqualTo(Handler.Result.GOOD);
    }
    try (Socket bound = new Socket()) { // No other program can listen on its port.
      bound.bind(ANY_PORT);
      assertThat(tcp(bound.getLocalPort()).get().good()).isFalse();
    }
    assertThat(tcp(0).get().message()).isEqualTo("the container has no port with that name");
  }

  @Test
  void aCancelledCallClosesItsConnection() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Handler.HttpGet get = new Handler.HttpGet("", server.getLocalPort(), "/", false, Map.of());
      CompletableFuture<Handler.Result> call = NetworkCheck.http(get, LOCALHOST);
      try (Socket connection = server.accept()) {
        call.cancel(true);
        InputStream in = connection.getInputStream();
        assertThat(ends(in)).isTrue();
      }
    }
  }

  /** True if the connection ended, orderly or not. */
  private static boolean ends(InputStream in) {
    try {
      in.readAllBytes();
      return true;
    } catch (IOException reset) {
      return true;
    }
  }

  private int serve(HttpServer server) {
    server.createContext(
        "/",
        exchange -> {
          asked.add(
              exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Host")
                  + " "
                  + exchange.getRequestHeaders().get("User-Agent"));
          int code = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
          exchange.sendResponseHeaders(code, -1);
          exchange.close();
        });
    server.start();
    servers.add(server);
    return server.getAddress().getPort();
  }

  private static Handler.Result get(int port, String path, boolean tls) throws Exception {
    Handler.HttpGet get = new Handler.HttpGet("", port, path, tls, Map.of());
    return NetworkCheck.http(get, LOCALHOST).get();
  }

  private static CompletableFuture<Handler.Result> tcp(int port) {
    return NetworkCheck.tcp(new Handler.TcpSocket("", port), LOCALHOST);
  }

  private static SSLContext selfSigned(Path file) throws Exception {
    String word = "changeit";
    List<String> keytool =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "a",
            "-keyalg",
            "EC",
            "-dname",
            "CN=nobody",
            "-keystore",
            file.toString(),
            "-storepass",
            word,
            "-storetype",
            "PKCS12");
    assertThat(new ProcessBuilder(keytool).start().waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, word.toCharArray());
    }
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(keys, word.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }
}
