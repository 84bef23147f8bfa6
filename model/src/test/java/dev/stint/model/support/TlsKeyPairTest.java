package dev.stint.model.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
  void aKeyOfUnknownTypeIsAccepted() {
    String unknown = "-----BEGIN PRIVATE KEY-----\nMAMCAQA=\n-----END PRIVATE KEY-----\n";
    assertThat(fault(file("ec.crt"), unknown)).isNull();
  }

  @Test
  void aBodyThatIsNotBase64IsNoBlock() {
    String broken = "-----BEGIN CERTIFICATE-----\nA\n-----END CERTIFICATE-----\n";
    assertThat(fault(broken, ""))
        .isEqualTo("tls: failed to find any PEM data in certificate input");
    assertThat(fault(broken + file("ec.crt"), file("ec.key"))).isNull();
  }

  @Test
  void headersAndBlankLinesMayBeMany() {
    String certificate = file("ec.crt");
    int body = certificate.indexOf('\n') + 1;
    String before = certificate.substring(0, body);
    String after = certificate.substring(body);
    assertThat(fault(before + "a: b\n".repeat(10_000) + "\n" + after, file("ec.key"))).isNull();
    assertThat(fault(before + "\n".repeat(60_000) + after, file("other.key")))
        .isEqualTo("tls: private key does not match public key");
    assertThat(fault(before + "\n".repeat(60_000), ""))
        .isEqualTo("tls: failed to find any PEM data in certificate input");
  }

  @Test
  void veryLongInputIsNotChecked() {
    assertThat(fault("a".repeat(64 * 1024 + 1), "")).isNull();
    assertThat(fault(file("ec.crt"), "a".repeat(16 * 1024 + 1))).isNull();
    assertThat(fault(file("ec.crt"), "a".repeat(16 * 1024))).isNotNull();
  }

  /** Numbers of a key: version, modulus, e, d, p, q, dP, dQ, 1/q. */
  @ParameterizedTest
  @ValueSource(ints = {4, 5, 6, 7})
  void anRsaKeyWhosePartsDoNotFitIsNoKey(int changed) {
    String pem = file("rsa-pkcs1.key");
    byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[^-]+-----", ""));
    int at = 4;
    for (int number = 0; number < changed; number++) {
      at = content(der, at) + length(der, at);
    }
    int place = content(der, at) + (changed < 6 ? length(der, at) - 1 : 0);
    der[place] = (byte) (changed < 6 ? der[place] ^ 2 : 0xfe);
    String key =
        "-----BEGIN RSA PRIVATE KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(der)
            + "\n-----END RSA PRIVATE KEY-----\n";
    assertThat(fault(file("rsa.crt"), key)).isEqualTo("tls: failed to parse private key");
  }

  private static int content(byte[] der, int at) {
    return at + 2 + ((der[at + 1] & 0x80) == 0 ? 0 : der[at + 1] & 0x7f);
  }

  private static int length(byte[] der, int at) {
    int start = content(der, at);
    return start == at + 2
        ? der[at + 1]
        : new BigInteger(1, der, at + 2, start - at - 2).intValue();
  }
}
