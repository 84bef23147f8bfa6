package dev.stint.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InClusterTest {
  private static final Map<String, String> POD =
      Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "6443");

  @TempDir private Path account;

  private Config config() {
    return InCluster.config(account, POD).orElseThrow();
  }

  @Test
  void aPodFindsItsCluster() throws Exception {
    Files.writeString(account.resolve("token"), "one\n");
    Files.writeString(account.resolve("namespace"), "jobs");
    Config config = config();
    assertThat(config.getMasterUrl()).isEqualTo("https://[fd00::1]:6443/");
    assertThat(config.getCaCertFile()).isEqualTo(account.resolve("ca.crt").toString());
    assertThat(InCluster.namespace(account)).contains("jobs");
  }

  @Test
  void theTokenIsReadAnewAsItIsReplaced() throws Exception {
    Files.writeString(account.resolve("token"), "one\n");
    Config config = new ConfigBuilder(config()).withUserAgent("stint").build();
    assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("one");
    Files.writeString(account.resolve("token"), "two\n");
    assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("two");
  }

  @Test
  void outsideAPodThereIsNoCluster() throws Exception {
    assertThat(InCluster.config(account, POD)).isEmpty();
    Files.writeString(account.resolve("token"), "one");
    assertThat(InCluster.config(account, Map.of())).isEmpty();
    assertThat(InCluster.namespace(account)).isEmpty();
  }
}
