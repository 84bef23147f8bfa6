package dev.stint.apiserver.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stint.apiserver.catalogue.GroupVersion;
import dev.stint.apiserver.catalogue.TestCatalogue;
import dev.stint.apiserver.discovery.AggregatedDiscovery;
import dev.stint.apiserver.discovery.AggregatedDiscovery.Form;
import dev.stint.apiserver.discovery.Discovery;
import dev.stint.apiserver.discovery.VersionInfo;
import dev.stint.model.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documents as kubectl reads them. Skipped if kubectl is not installed. */
class KubectlExplainTest {
  private static final OpenApi OPEN_API = new OpenApi(TestCatalogue.BUILT_IN);

  private static final Path KUBECTL = Path.of("/usr/bin/kubectl");
  private static final String PREFIX = "/openapi/v3/";

  @TempDir private Path home = Path.of("");
  private HttpServer server = serverOf();

  @BeforeEach
  void start() {
    assumeTrue(Files.isExecutable(KUBECTL), "SKIPPED: " + KUBECTL + " is not installed");
    server.createContext("/", KubectlExplainTest::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void explainsAJob() throws Exception {
    assertThat(kubectl("explain", "job"))
        .contains("GROUP:      batch", "KIND:       Job", "Work that ends", "spec\t<JobSpec>");
  }

  @Test
  void explainsAFieldDeepInAJob() throws Exception {
    assertThat(kubectl("explain", "jobs.spec.podFailurePolicy.rules.onExitCodes"))
        .contains("values\t<[]integer> -required-", "in ascending order, each once");
  }

  @Test
  void explainsWhatHoldsAmountsAndNamesOrNumbers() throws Exception {
    assertThat(kubectl("explain", "pod.spec.containers.resources"))
        .contains("limits\t<map[string]Quantity>");
    assertThat(kubectl("explain", "pod.spec.containers.livenessProbe.httpGet"))
        .contains("port\t<IntOrString> -required-");
  }

  @Test
  void listsResourcesWithTheirShortNames() throws Exception {
    assertThat(kubectl("api-resources", "--no-headers"))
        .containsPattern("cronjobs +cj +batch/v1 +true +CronJob")
        .containsPattern("pods +po +v1 +true +Pod");
  }

  private String kubectl(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(KUBECTL.toString()));
    command.addAll(List.of(arguments));
    command.add("--server=http://127.0.0.1:" + server.getAddress().getPort());
    command.add("--token=none");
    command.add("--cache-dir=" + home.resolve("cache"));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("KUBECONFIG", "/dev/null");
    builder.environment().put("HOME", home.toString());
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  private static HttpServer serverOf() {
    try {
      return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new AssertionError("no port to listen on", e);
    }
  }

  private static void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    Optional<byte[]> found = document(path);
    boolean aggregated = path.equals("/api") || path.equals("/apis");
    exchange
        .getResponseHeaders()
        .set("Content-Type", aggregated ? Form.V2.contentType() : "application/json");
    byte[] body = found.orElse("{}".getBytes(StandardCharsets.UTF_8));
    exchange.sendResponseHeaders(found.isPresent() ? 200 : 404, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static Optional<byte[]> document(String path) {
    if (path.startsWith(PREFIX)) {
      return OPEN_API.document(path.substring(PREFIX.length()));
    }
    return switch (path) {
      case "/api" ->
          Optional.of(Json.bytes(AggregatedDiscovery.core(TestCatalogue.BUILT_IN, Form.V2)));
      case "/apis" ->
          Optional.of(Json.bytes(AggregatedDiscovery.groups(TestCatalogue.BUILT_IN, Form.V2)));
      case "/api/v1" ->
          Discovery.resources(TestCatalogue.BUILT_IN, new GroupVersion("", "v1")).map(Json::bytes);
      case "/version" -> Optional.of(Json.bytes(VersionInfo.document("0.1.0")));
      case "/openapi/v3" -> Optional.of(OPEN_API.index());
      default -> Optional.empty();
    };
  }
}
