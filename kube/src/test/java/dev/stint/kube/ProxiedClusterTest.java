package dev.stint.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.access.pki.Pki;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.harness.TestTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clusters behind a proxy, over HTTPS. */
class ProxiedClusterTest {
  @TempDir private Path dir;

  private TlsFront front;
  private TunnelProxy proxy;

  @BeforeEach
  void open() throws Exception {
    Pki pki = Pki.open(dir.resolve("pki"), InstantSource.system(), List.of());
    front = new TlsFront(pki, 0);
    proxy = new TunnelProxy();
    Files.writeString(dir.resolve("ca.crt"), pki.authorityPem());
  }

  @AfterEach
  void close() throws IOException {
    front.close();
    proxy.close();
  }

  /**
   * @param host the host of the cluster, which only the proxy can reach
   */
  private KubeCluster cluster(String proxyUrl, String host, String certifiedName)
      throws IOException {
    Path file =
        Files.writeString(
            dir.resolve("config"),
            """
            apiVersion: v1
            kind: Config
            clusters:
            - name: here
              cluster:
                server: https://%s:%d
                certificate-authority: ca.crt
                proxy-url: %s
                tls-server-name: %s
            users:
            - name: me
              user: {token: secret}
            contexts:
            - name: this
              context: {cluster: here, user: me}
            current-context: this
            """
                .formatted(host, front.port(), proxyUrl, certifiedName));
    return KubeCluster.of(file, null, new TestTime());
  }

  @Test
  void aClusterIsReachedThroughATunnelOfAnHttpProxy() throws Exception {
    String url = "http://user:password@127.0.0.1:" + proxy.port();
    try (KubeCluster cluster = cluster(url, "api.example", "localhost")) {
      assertThat(KubeClusterTest.answer(cluster.version())).isEqualTo("Bearer secret");
      assertThat(proxy.asked)
          .contains("CONNECT api.example:" + front.port() + " HTTP/1.1")
          .contains("Proxy-Authorization: Basic dXNlcjpwYXNzd29yZA==")
          .noneMatch(line -> line.contains("secret"));
    }
  }

  @Test
  void aClusterIsReachedThroughASocksProxyThatKnowsItsHost() throws Exception {
    String url = "socks5://127.0.0.1:" + proxy.port();
    try (KubeCluster cluster = cluster(url, "api.example", "localhost")) {
      assertThat(KubeClusterTest.answer(cluster.version())).isEqualTo("Bearer secret");
      assertThat(proxy.asked).containsExactly("api.example:" + front.port());
    }
  }

  @Test
  void aServerWithACertificateForAnotherNameIsNotTrusted() throws Exception {
    String url = "http://127.0.0.1:" + proxy.port();
    try (KubeCluster cluster = cluster(url, "api.example", "other.example")) {
      ClusterException refusal = KubeClusterTest.refusal(cluster.version());
      assertThat(refusal.reason()).isEqualTo(Reason.UNAVAILABLE);
      assertThat(refusal).hasMessageContaining("other.example");
    }
  }

  @Test
  void aProxyThatRefusesIsNamed() throws Exception {
    proxy.isForbidden = true;
    String url = "http://127.0.0.1:" + proxy.port();
    try (KubeCluster cluster = cluster(url, "api.example", "localhost")) {
      assertThat(KubeClusterTest.refusal(cluster.version()))
          .hasMessageEndingWith(
              "proxy 127.0.0.1:%d: it refuses a tunnel to api.example:%d: HTTP 403"
                  .formatted(proxy.port(), front.port()));
    }
  }

  @Test
  void aProxyThatIsNotThereIsNamed() throws Exception {
    proxy.close();
    String url = "http://127.0.0.1:" + proxy.port();
    try (KubeCluster cluster = cluster(url, "api.example", "localhost")) {
      assertThat(KubeClusterTest.refusal(cluster.version()))
          .hasMessageEndingWith("proxy 127.0.0.1:%d: Connection refused".formatted(proxy.port()));
    }
  }
}
