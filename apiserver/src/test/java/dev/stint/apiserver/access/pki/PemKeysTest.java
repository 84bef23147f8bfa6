package dev.stint.apiserver.access.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.time.Instant;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.RSAPublicKey;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys are read in each form in which programs write them. */
class PemKeysTest {
  private static final String SPACED =
      """
      some words
      -----BEGIN EC PARAMETERS-----
      BggqhkjOPQMBBw==
      -----END EC PARAMETERS-----
      """;

  @Test
  void anRsaKeyIsReadInBothForms() throws Exception {
    KeyPair keys = GeneratedKeys.rsa();
    String pkcs1 = traditional(keys.getPrivate());
    assertThat(pkcs1).contains("RSA PRIVATE KEY");
    assertThat(PemKeys.privateKey(pkcs1)).isEqualTo(keys.getPrivate());
    assertThat(PemKeys.privateKey(EcKeys.pem(keys))).isEqualTo(keys.getPrivate());
    assertThat(PemKeys.publicKeys(pkcs1)).containsExactly(keys.getPublic());
  }

  @ParameterizedTest
  @ValueSource(strings = {"secp256r1", "secp384r1", "secp521r1"})
  void anEcKeyIsReadInBothForms(String curve) throws Exception {
    KeyPair keys = GeneratedKeys.ec(curve);
    String sec1 = SPACED + traditional(keys.getPrivate());
    assertThat(sec1).contains("EC PRIVATE KEY");
    assertThat(PemKeys.pair(PemKeys.privateKey(sec1)).getPublic()).isEqualTo(keys.getPublic());
    assertThat(PemKeys.privateKey(EcKeys.pem(keys))).isEqualTo(keys.getPrivate());
    assertThat(PemKeys.publicKeys(sec1)).containsExactly(keys.getPublic());
  }

  @Test
  void aPublicKeyIsReadInBothForms() throws Exception {
    KeyPair keys = GeneratedKeys.rsa();
    SubjectPublicKeyInfo info = SubjectPublicKeyInfo.getInstance(keys.getPublic().getEncoded());
    byte[] pkcs1 = RSAPublicKey.getInstance(info.parsePublicKey()).getEncoded();
    assertThat(PemKeys.publicKeys(new Pem("RSA PUBLIC KEY", pkcs1).text()))
        .containsExactly(keys.getPublic());
    assertThat(PemKeys.publicKeys(new Pem(Pem.PUBLIC_KEY, keys.getPublic().getEncoded()).text()))
        .containsExactly(keys.getPublic());
  }

  @Test
  void aCertificateStandsForItsKey() throws Exception {
    CertificateAndKey authority = authority();
    assertThat(PemKeys.publicKeys(authority.certificatePem()))
        .containsExactly(authority.certificate().getPublicKey());
    assertThat(PemKeys.certificates(authority.pem() + authority.certificatePem()))
        .containsExactly(authority.certificate(), authority.certificate());
  }

  @Test
  void itTellsWhatAFileLacks() throws Exception {
    String certificate = authority().certificatePem();
    assertThatThrownBy(() -> PemKeys.privateKey(certificate))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessage("it holds no private key");
    assertThatThrownBy(() -> PemKeys.certificates("")).hasMessage("it holds no certificate");
    assertThatThrownBy(() -> PemKeys.publicKeys("x"))
        .hasMessage("it holds neither a key nor a certificate");
    assertThatThrownBy(
            () -> PemKeys.privateKey(new Pem("ENCRYPTED PRIVATE KEY", new byte[] {1}).text()))
        .hasMessage("its private key is encrypted");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"})
  void brokenKeysAreRefused(String label) {
    for (byte[] broken : new byte[][] {{}, {1, 2, 3}, {0x30, 0x03, 0x02, 0x01, 0x01}}) {
      assertThatThrownBy(() -> PemKeys.privateKey(new Pem(label, broken).text()))
          .isInstanceOf(GeneralSecurityException.class)
          .hasMessageContaining("malformed");
    }
  }

  /** Returns a key in the form of its own algorithm: PKCS 1 or SEC 1. */
  static String traditional(PrivateKey key) throws IOException {
    PrivateKeyInfo info = PrivateKeyInfo.getInstance(key.getEncoded());
    if (key instanceof java.security.interfaces.ECPrivateKey ec) {
      ASN1Encodable curve = info.getPrivateKeyAlgorithm().getParameters();
      int bits = ec.getParams().getOrder().bitLength();
      return new Pem("EC PRIVATE KEY", new ECPrivateKey(bits, ec.getS(), curve).getEncoded())
          .text();
    }
    return new Pem("RSA PRIVATE KEY", info.parsePrivateKey().toASN1Primitive().getEncoded()).text();
  }

  private static CertificateAndKey authority() throws GeneralSecurityException {
    Instant now = Instant.parse("2026-11-24T00:00:00Z");
    return CertificateIssuer.authority(
        "ca", new CertificateIssuer.Validity(now, now.plusSeconds(3600)));
  }
}
