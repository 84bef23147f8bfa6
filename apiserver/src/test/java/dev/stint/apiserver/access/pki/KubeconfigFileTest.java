package dev.stint.apiserver.access.pki;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** A kubeconfig leads to the API, by token and by certificate. */
class KubeconfigFileTest {
  @TempDir private Path temp;
  private Pki pki;

  @BeforeEach
  void makeKeys() throws Exception {
    pki = Pki.open(temp.resolve("pki"), InstantSource.system(), List.of());
  }

  @Test
  void itHoldsTheServerItsAuthorityAndTwoWaysIn() {
    Map<?, ?> config = parsed(KubeconfigFile.text("https://[::1]:6443", pki));
    assertThat(config.get("current-context")).isEqualTo("stint");
    Map<?, ?> cluster = entry(config, "clusters", 0, "cluster");
    assertThat(cluster.get("server")).isEqualTo("https://[::1]:6443");
    assertThat(decoded(cluster.get("certificate-authority-data"))).isEqualTo(pki.authorityPem());
    assertThat(entry(config, "users", 0, "user").get("token")).isEqualTo(pki.adminToken());
    Map<?, ?> byCertificate = entry(config, "users", 1, "user");
    assertThat(decoded(byCertificate.get("client-certificate-data")))
        .isEqualTo(pki.admin().certificatePem());
    assertThat(decoded(byCertificate.get("client-key-data"))).isEqualTo(pki.admin().keyPem());
    assertThat(entry(config, "contexts", 1, "context").get("user")).isEqualTo("stint-cert");
  }

  @Test
  void itIsForItsOwnersEyesOnlyEvenWhereItWasNotBefore() throws Exception {
    Path file = Files.writeString(temp.resolve("config"), "old");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    KubeconfigFile.write(file, "https://localhost:1", pki);
    assertThat(Files.readString(file)).isEqualTo(KubeconfigFile.text("https://localhost:1", pki));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  private static Map<?, ?> parsed(String yaml) {
    return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(yaml);
  }

  private static Map<?, ?> entry(Map<?, ?> config, String list, int index, String member) {
    List<?> items = (List<?>) Objects.requireNonNull(config.get(list));
    Map<?, ?> item = (Map<?, ?>) Objects.requireNonNull(items.get(index));
    return (Map<?, ?>) Objects.requireNonNull(item.get(member));
  }

  private static String decoded(@Nullable Object base64) {
    return new String(Base64.getDecoder().decode(String.valueOf(base64)), StandardCharsets.UTF_8);
  }
}
