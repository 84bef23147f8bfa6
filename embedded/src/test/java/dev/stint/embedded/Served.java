package dev.stint.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.access.pki.Pki;
import dev.stint.apiserver.audit.AuditSettings;
import dev.stint.apiserver.http.RequestMetrics;
import dev.stint.apiserver.http.router.MetricsFilter;
import dev.stint.cluster.Cluster;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.SimulatedEngine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** An API on a port, and clients of it. */
public final class Served implements AutoCloseable {
  static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  static final String TARGET = CONFIG_MAPS + "/target";

  final ControlPlane plane;
  final ApiEndpoint endpoint;
  final SSLContext tls;
  final String token;

  /**
   * @param keys a directory for the keys
   * @param logEvents the number of events by which watchers may fall behind
   */
  public Served(Path keys, int logEvents) throws Exception {
    this(keys, logEvents, RequestMetrics.NONE);
  }

  public Served(Path keys, int logEvents, RequestMetrics metrics) throws Exception {
    this(keys, logEvents, metrics, null);
  }

  public Served(Path keys, int logEvents, RequestMetrics metrics, @Nullable AuditSettings auditing)
      throws Exception {
    ControlPlaneOptions plain = ControlPlaneOptions.DEFAULT;
    plane =
        new ControlPlane(
            new SimulatedEngine(),
            new ControlPlaneOptions(
                new StoreOptions(logEvents, 64 << 20, StoreOptions.Durability.RELAXED),
                plain.jobs(),
                plain.runner().maxPods(),
                plain.runner().podFilter()));
    endpoint =
        ApiEndpoint.open(
            plane,
            new ApiEndpoint.Preparation(
                keys, InetSocketAddress.createUnresolved("127.0.0.1", 0), InstantSource.system()),
            auditing,
            null,
            null,
            gate -> new MetricsFilter(gate, metrics));
    Pki pki = Pki.open(keys, InstantSource.system(), List.of());
    tls = pki.adminContext();
    token = pki.adminToken();
    cluster().create(configMap("target", "b")).get();
  }

  public Cluster cluster() {
    return plane.cluster();
  }

  public int port() {
    return URI.create(endpoint.url()).getPort();
  }

  public static KubeObject configMap(String name, String value) {
    return configMap("default", name, value);
  }

  static KubeObject configMap(String namespace, String name, String value) {
    ObjectNode tree = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
    tree.putObject("metadata").put("name", name).put("namespace", namespace);
    tree.putObject("data").put("a", value);
    return KubeObject.of(tree);
  }

  /** Returns the start of the head of an HTTP/1.1 request, to which headers may be added. */
  public String head(String method, String path) {
    return "%s %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"
        .formatted(method, path, token);
  }

  RawTlsConnection connect() throws IOException {
    return RawTlsConnection.to(port(), tls);
  }

  public HttpClient client(HttpClient.Version version) {
    return HttpClient.newBuilder().version(version).sslContext(tls).build();
  }

  public HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(endpoint.url() + path))
        .header("Authorization", "Bearer " + token);
  }

  public HttpResponse<String> send(
      HttpClient.Version version, String method, String path, @Nullable String type, byte[] body)
      throws Exception {
    return send(version, method, path, type, BodyPublishers.ofByteArray(body));
  }

  public HttpResponse<String> send(
      HttpClient.Version version,
      String method,
      String path,
      @Nullable String type,
      BodyPublisher body)
      throws Exception {
    try (HttpClient client = client(version)) {
      HttpRequest.Builder request = request(path).method(method, body);
      if (type != null) {
        request.header("Content-Type", type);
      }
      return client.send(request.build(), BodyHandlers.ofString(UTF_8));
    }
  }

  /** Checks that a new client is served. */
  public void servesOthers() throws Exception {
    for (HttpClient.Version version : HttpClient.Version.values()) {
      HttpResponse<String> answer = send(version, "GET", TARGET, null, new byte[0]);
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).contains("\"target\"");
    }
  }

  @Override
  public void close() {
    endpoint.close();
    plane.close();
  }
}
