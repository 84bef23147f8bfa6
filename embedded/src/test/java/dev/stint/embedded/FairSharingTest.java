package dev.stint.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users share the API server over HTTP. */
class FairSharingTest {
  private static final int ANONYMOUS_WATCHES = 100;

  @TempDir Path directory;
  private Served served;

  @BeforeEach
  void serve() throws Exception {
    served = new Served(directory, 1024);
    new Bootstrap(served.cluster()).run().get();
    served
        .cluster()
        .create(
            KubeObject.of(
                Json.parse(
                    """
                    {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
                     "metadata": {"name": "all"},
                     "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole",
                                 "name": "cluster-admin"},
                     "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User",
                                   "name": "system:anonymous"}]}
                    """)))
        .get();
  }

  @AfterEach
  void stop() {
    served.close();
  }

  @Test
  void answersNameTheSchemaAndTheLevel() throws Exception {
    try (HttpClient client = client()) {
      HttpResponse<String> admin =
          client.send(served.request(Served.TARGET).build(), BodyHandlers.ofString());
      assertThat(named(admin, "FlowSchema")).isEqualTo(uid(Kind.FLOW_SCHEMA, "exempt"));
      assertThat(named(admin, "PriorityLevel")).isEqualTo(uid(Kind.PRIORITY_LEVEL, "exempt"));
      HttpResponse<String> anonymous = client.send(request(Served.TARGET), BodyHandlers.ofString());
      assertThat(anonymous.statusCode()).isEqualTo(200);
      assertThat(named(anonymous, "FlowSchema")).isEqualTo(uid(Kind.FLOW_SCHEMA, "global-default"));
      assertThat(named(anonymous, "PriorityLevel"))
          .isEqualTo(uid(Kind.PRIORITY_LEVEL, "global-default"));
    }
  }

  @Test
  void oneUserMayNotHoldAllWatches() throws Exception {
    List<InputStream> watches = new ArrayList<>();
    try (HttpClient client = client()) {
      for (int i = 0; i < ANONYMOUS_WATCHES; i++) {
        watches.add(client.send(watch(), BodyHandlers.ofInputStream()).body());
      }
      HttpResponse<String> refused = client.send(watch(), BodyHandlers.ofString());
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.body()).contains("has 100 watches, which is the limit for one user");
      HttpResponse<InputStream> admin =
          client.send(
              served.request(Served.CONFIG_MAPS + "?watch=true").build(),
              BodyHandlers.ofInputStream());
      assertThat(admin.statusCode()).isEqualTo(200);
      admin.body().close();

      watches.getFirst().close();
      int code = 429;
      while (code == 429) { // until the server has learned of the end
        HttpResponse<InputStream> again = client.send(watch(), BodyHandlers.ofInputStream());
        code = again.statusCode();
        watches.add(again.body());
      }
      assertThat(code).isEqualTo(200);
      for (InputStream each : watches) {
        each.close();
      }
    }
  }

  /** Returns a client that trusts the server and has no certificate of its own. */
  private HttpClient client() throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null);
    trusted.setCertificateEntry(
        "authority",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new ByteArrayInputStream(served.endpoint.authority().getBytes(UTF_8))));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(tls).build();
  }

  private HttpRequest watch() {
    return request(Served.CONFIG_MAPS + "?watch=true");
  }

  private HttpRequest request(String path) {
    return HttpRequest.newBuilder(URI.create(served.endpoint.url() + path)).build();
  }

  private static String named(HttpResponse<?> answer, String what) {
    return answer.headers().firstValue("X-Kubernetes-PF-" + what + "-UID").orElse("");
  }

  private String uid(Kind kind, String name) throws Exception {
    return served.cluster().get(new ObjectRef(kind, "", name)).get().uid();
  }
}
