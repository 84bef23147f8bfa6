package dev.stint.apiserver.access.pki;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A certificate and its private key.
 *
 * @param key its private key
 */
public record CertificateAndKey(X509Certificate certificate, PrivateKey key) {
  /** Reads the output of {@link #pem}. */
  public static CertificateAndKey parse(String text) throws GeneralSecurityException {
    List<Pem> blocks = Pem.read(text);
    byte[] certificate =
        Pem.find(blocks, Pem.CERTIFICATE).orElseThrow(CertificateAndKey::incomplete);
    byte[] key = Pem.find(blocks, Pem.PRIVATE_KEY).orElseThrow(CertificateAndKey::incomplete);
    return new CertificateAndKey(
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(certificate)),
        KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key)));
  }

  private static GeneralSecurityException incomplete() {
    return new GeneralSecurityException("a certificate or a key is missing");
  }

  /** Returns the certificate and then the key, as PEM text. */
  String pem() {
    return certificatePem() + keyPem();
  }

  /** Returns the certificate as PEM text. */
  public String certificatePem() {
    return pem(certificate);
  }

  /** Returns a certificate as PEM text. */
  static String pem(X509Certificate certificate) {
    try {
      return new Pem(Pem.CERTIFICATE, certificate.getEncoded()).text();
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("cannot encode a certificate that was decoded before", e);
    }
  }

  /** Returns the key as PEM text (PKCS 8). Never to be logged. */
  public String keyPem() {
    return new Pem(Pem.PRIVATE_KEY, key.getEncoded()).text();
  }

  /** True if the certificate is valid now, and for at least this long. */
  boolean holds(Instant now, Duration atLeast) {
    return !now.isBefore(certificate.getNotBefore().toInstant())
        && now.plus(atLeast).isBefore(certificate.getNotAfter().toInstant());
  }

  boolean isFrom(CertificateAndKey authority) {
    try {
      certificate.verify(authority.certificate.getPublicKey());
      return true;
    } catch (GeneralSecurityException notFrom) {
      return false;
    }
  }

  /** Returns the subject only: keys do not belong in messages. */
  @Override
  public String toString() {
    return certificate.getSubjectX500Principal().getName();
  }
}
