package dev.stint.kube;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.access.pki.CertificateAndKey;
import dev.stint.apiserver.access.pki.Pki;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateEndTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path dir;

  @Test
  void itIsThatOfTheFirstCertificateOfTheChain() throws Exception {
    Pki pki = Pki.open(dir.resolve("pki"), InstantSource.fixed(NOW), List.of());
    CertificateAndKey admin = pki.admin();
    String chain = "a comment\n" + admin.certificatePem() + pki.authorityPem();
    Config data = Config.empty();
    data.setClientCertData(Base64.getEncoder().encodeToString(chain.getBytes(UTF_8)));
    Config file = Config.empty();
    file.setClientCertFile(Files.writeString(dir.resolve("client.crt"), chain).toString());
    Instant end = admin.certificate().getNotAfter().toInstant();
    assertThat(CertificateEnd.of(data)).isEqualTo(end).isBefore(Instant.MAX);
    assertThat(CertificateEnd.of(file)).isEqualTo(end);
  }

  @Test
  void withoutACertificateThatCanBeReadThereIsNone() {
    Config nothing = Config.empty();
    Config noBase64 = Config.empty();
    noBase64.setClientCertData("?");
    Config noCertificate = Config.empty();
    noCertificate.setClientCertData("AAAA");
    Config noFile = Config.empty();
    noFile.setClientCertFile(dir.resolve("absent").toString());
    assertThat(List.of(nothing, noBase64, noCertificate, noFile))
        .extracting(CertificateEnd::of)
        .containsOnly(Instant.MAX);
  }
}
