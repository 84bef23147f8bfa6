package dev.stint.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.CertUtils;
import java.io.IOException;
import java.io.InputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;

/** The end of the time for which a client certificate is valid. */
final class CertificateEnd {
  private CertificateEnd() {}

  /**
   * Returns the end of a configuration's client certificate, the first of its chain. A
   * configuration has no such end if it has no certificate, or none that can be read.
   */
  static Instant of(Config config) {
    try (InputStream in =
        CertUtils.getInputStreamFromDataOrFile(
            config.getClientCertData(), config.getClientCertFile())) {
      return in == null
          ? Instant.MAX
          : ((X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in))
              .getNotAfter()
              .toInstant();
    } catch (IOException | CertificateException | RuntimeException unreadable) {
      return Instant.MAX; // The transport reports it.
    }
  }
}
