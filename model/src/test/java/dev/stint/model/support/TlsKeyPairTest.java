package dev.stint.model.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TlsKeyPairTest {
  private static @Nullable String fault(String certificate, String key) {
    return TlsKeyPair.fault(bytes(certificate), bytes(key));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String file(String name) {
    try (InputStream in = TlsKeyPairTest.class.getResourceAsStream("tls/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static String block(String type) {
    return "-----BEGIN " + type + "-----\n-----END " + type + "-----\n";
  }

  @ParameterizedTest
  @CsvSource({"ec.crt, ec.key", "ec.crt, ec-sec1.key", "rsa.crt, rsa-pkcs1.key"})
  void aKeyFitsItsCertificate(String certificate, String key) {
    assertThat(fault("text before\n" + file(certificate), file(key))).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "ec.crt, other.key, tls: private key does not match public key",
    "rsa.crt, ec.key, tls: private key type does not match public key type",
    "ec.crt, rsa-pkcs1.key, tls: private key type does not match public key type",
  })
  void anotherKeyDoesNot(String certificate, String key, String fault) {
    assertThat(fault(file(certificate), file(key))).isEqualTo(fault);
  }

  @Test
  void certificatesAreLookedFor() {
    assertThat(fault("", "")).isEqualTo("tls: failed to find any PEM data in certificate input");
    assertThat(fault(file("ec.key"), ""))
        .isEqualTo(
            "tls: failed to find certificate PEM data in certificate input, but did find a private"
                + " key; PEM inputs may have been switched");
    assertThat(fault(block("A") + block("B"), ""))
        .isEqualTo(
            "tls: failed to find \"CERTIFICATE\" PEM block in certificate input after skipping PEM"
                + " blocks of the following types: [A B]");
    assertThat(fault(block("CERTIFICATE"), file("ec.key")))
        .isEqualTo("x509: malformed certificate");
  }

  @Test
  void keysAreLookedFor() {
    String certificate = file("ec.crt");
    assertThat(fault(certificate, "")).isEqualTo("tls: failed to find any PEM data in key input");
    assertThat(fault(certificate, certificate))
        .isEqualTo("tls: found a certificate rather than a key in the PEM for the private key");
    assertThat(fault(certificate, block("A")))
        .isEqualTo(
            "tls: failed to find PEM block with type ending in \"PRIVATE KEY\" in key input after"
                + " skipping PEM blocks of the following types: [A]");
    assertThat(fault(certificate, block("PRIVATE KEY")))
        .isEqualTo("tls: failed to parse private key");
  }

  @Test
  void whatCannotBeJudgedIsSound() {
    String unknown = "-----BEGIN PRIVATE KEY-----\nMAMCAQA=\n-----END PRIVATE KEY-----\n";
    assertThat(fault(file("ec.crt"), unknown)).isNull();
  }
}
