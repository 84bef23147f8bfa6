package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.apiserver.access.pki.Pki;
import dev.stint.model.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.node.ObjectNode;

/** The two programs of a test environment, as real processes. */
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class TestEnvironmentTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String DEFINITION =
      """
      {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
       "metadata":{"name":"pies.example.com"},
       "spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"pies","kind":"Pie"},
        "versions":[{"name":"v1","served":true,"storage":true,
         "schema":{"openAPIV3Schema":{"type":"object"}}}]}}
      """;

  @TempDir private Path directory = Path.of("");

  private @Nullable StintProcess running;
  private Path certificates = Path.of("");
  private int port;

  @BeforeEach
  void bringCertificates() throws IOException {
    port = freePort();
    certificates = Files.createDirectories(directory.resolve("certs"));
    Pki pki = pki();
    Path made = directory.resolve("pki");
    Files.copy(made.resolve("server.pem"), certificates.resolve("apiserver.crt"));
    Files.copy(made.resolve("server.pem"), certificates.resolve("apiserver.key"));
    Files.copy(made.resolve("service-accounts.pem"), certificates.resolve("sa.pem"));
    Files.writeString(certificates.resolve("ca.crt"), pki.authorityPem());
  }

  @AfterEach
  void end() throws InterruptedException {
    if (running != null) {
      running.kill();
    }
  }

  @Test
  void etcdIsHealthyUntilItIsEnded() throws Exception {
    StintProcess help = StintProcess.run(directory, "etcd", "--help");
    assertThat(help.exitStatus()).isZero();
    assertThat(help.out()).startsWith("Usage: etcd");

    String url = "http://127.0.0.1:" + port;
    StintProcess etcd =
        StintProcess.start(
            directory,
            "etcd",
            "-listen-client-urls",
            url,
            "--data-dir=" + directory.resolve("none"),
            "--unsafe-no-fsync");
    running = etcd;
    try (HttpClient client = HttpClient.newHttpClient()) {
      await()
          .atMost(TIMEOUT)
          .until(
              () -> !etcd.alive() || "{\"health\":\"true\"}".equals(body(client, url + "/health")));
    }
    assertThat(etcd.alive()).as(etcd.err()).isTrue();
    etcd.terminate();
    etcd.exitStatus();
    assertThat(directory.resolve("none")).doesNotExist();
  }

  @Test
  void theHelpOfTheServerHasNoInsecurePort() throws Exception {
    StintProcess help = StintProcess.run(directory, "kube-apiserver", "--help");
    assertThat(help.exitStatus()).isZero();
    assertThat(help.out().lines()).noneMatch(line -> line.strip().startsWith("--insecure-port"));
  }

  @Test
  void aServerServesTheClientsOfItsAuthorityAndItsPortServesTheNextOne() throws Exception {
    StintProcess first = serve();
    try (HttpClient admin = admin()) {
      await().atMost(TIMEOUT).until(() -> status(admin, "/readyz") == 200);
      assertThat(status(admin, "/api/v1/namespaces/default")).isEqualTo(200);
      assertThat(post(admin, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION))
          .isEqualTo(201);
      assertThat(body(admin, url("/apis/example.com/v1"))).contains("\"pies\"");
      assertThat(body(admin, url("/api/v1/nodes"))).contains("\"items\":[]");
      assertThat(body(admin, url("/api/v1/namespaces/default/services/kubernetes")))
          .contains("\"clusterIP\":\"10.0.0.1\"", "\"targetPort\":" + port);
    }
    List<Path> before = files();
    first.kill();

    StintProcess second = serve();
    try (HttpClient admin = admin()) {
      assertThat(status(admin, "/apis/example.com/v1")).as("nothing is left").isEqualTo(404);
    }
    assertThat(files()).isEqualTo(before);
    second.terminate();
    assertThat(second.exitStatus()).isZero();
    assertThat(second.out()).isEmpty();
  }

  @Test
  void aFaultEndsItInOneLine() throws Exception {
    try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      StintProcess refused = start("--v=4");
      assertThat(refused.exitStatus()).isEqualTo(2);
      assertThat(refused.err()).containsOnlyOnce("\n").contains("--secure-port: 127.0.0.1:" + port);
      assertThat(taken.isBound()).isTrue();
    }
    Files.writeString(certificates.resolve("ca.crt"), "nothing");
    StintProcess faulty = start();
    assertThat(faulty.exitStatus()).isEqualTo(2);
    assertThat(faulty.err().strip())
        .isEqualTo(
            "stint: kube-apiserver: cannot read %s: it holds no certificate"
                .formatted(certificates.resolve("ca.crt")));
  }

  /** Starts a server and waits as envtest does: it asks for its health without credentials. */
  private StintProcess serve() throws Exception {
    StintProcess started = start();
    running = started;
    try (HttpClient anybody = client(trustingAnybody())) {
      await().atMost(TIMEOUT).until(() -> !started.alive() || status(anybody, "/healthz") == 200);
      assertThat(started.alive()).as(started.err()).isTrue();
      assertThat(status(anybody, "/api/v1/namespaces/default")).isEqualTo(403);
    }
    return started;
  }

  private StintProcess start(String... more) throws IOException {
    List<String> args =
        new ArrayList<>(
            List.of(
                "kube-apiserver",
                "--allow-privileged=true",
                "--authorization-mode=RBAC",
                "--bind-address=127.0.0.1",
                "--cert-dir=" + certificates,
                "--client-ca-file=" + certificates.resolve("ca.crt"),
                "--disable-admission-plugins=ServiceAccount",
                "--etcd-servers=http://127.0.0.1:1",
                "--secure-port=" + port,
                "--service-account-issuer=https://127.0.0.1:" + port + "/",
                "--service-account-key-file=" + certificates.resolve("sa.pem"),
                "--service-account-signing-key-file=" + certificates.resolve("sa.pem"),
                "--service-cluster-ip-range=10.0.0.0/24"));
    args.addAll(List.of(more));
    return StintProcess.start(directory, args.toArray(String[]::new));
  }

  /**
   * Returns the keys of the environment; its admin gets a new certificate of the same authority.
   */
  private Pki pki() throws IOException {
    Path made = directory.resolve("pki");
    Files.deleteIfExists(made.resolve("admin.pem"));
    return Pki.open(made, InstantSource.system(), List.of());
  }

  private HttpClient admin() throws Exception {
    return client(pki().adminContext());
  }

  private static HttpClient client(SSLContext tls) {
    return HttpClient.newBuilder().sslContext(tls).build();
  }

  private static SSLContext trustingAnybody() throws Exception {
    X509TrustManager anybody =
        new X509TrustManager() {
          @Override
          public void checkClientTrusted(X509Certificate[] chain, String type) {}

          @Override
          public void checkServerTrusted(X509Certificate[] chain, String type) {}

          @Override
          public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
          }
        };
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {anybody}, null);
    return context;
  }

  private String url(String path) {
    return "https://127.0.0.1:" + port + path;
  }

  /** Returns the status of an answer; -1 if nobody answers. */
  private int status(HttpClient client, String path) throws InterruptedException {
    HttpResponse<String> answer = get(client, url(path));
    return answer == null ? -1 : answer.statusCode();
  }

  private static @Nullable String body(HttpClient client, String url) throws InterruptedException {
    HttpResponse<String> answer = get(client, url);
    return answer == null ? null : answer.body();
  }

  private static @Nullable HttpResponse<String> get(HttpClient client, String url)
      throws InterruptedException {
    try {
      return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
    } catch (IOException notYet) {
      return null;
    }
  }

  private int post(HttpClient client, String path, String json) throws Exception {
    ObjectNode document = Json.parse(json);
    return client
        .send(
            HttpRequest.newBuilder(URI.create(url(path)))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(document.toString()))
                .build(),
            BodyHandlers.ofString())
        .statusCode();
  }

  private List<Path> files() throws IOException {
    try (var found = Files.list(certificates)) {
      return found.sorted().toList();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
