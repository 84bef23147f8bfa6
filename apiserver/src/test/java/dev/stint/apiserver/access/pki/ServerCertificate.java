package dev.stint.apiserver.access.pki;

import dev.stint.apiserver.access.pki.CertificateIssuer.Validity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;

/** The certificate of a server in a test. */
public final class ServerCertificate {
  private final CertificateAndKey authority;
  private final CertificateAndKey leaf;

  public ServerCertificate(String... hosts) {
    Instant now = Instant.now();
    Validity validity = new Validity(now.minusSeconds(60), now.plus(Duration.ofDays(1)));
    try {
      authority = CertificateIssuer.authority("test", validity);
      leaf = CertificateIssuer.server(authority, "hook", List.of(hosts), validity);
    } catch (GeneralSecurityException fault) {
      throw new IllegalStateException(fault);
    }
  }

  /** Returns the authority as a {@code caBundle}. */
  public String authority() {
    return bundle(authority);
  }

  /** Returns the very certificate as a {@code caBundle}. */
  public String leaf() {
    return bundle(leaf);
  }

  private static String bundle(CertificateAndKey of) {
    return Base64.getEncoder().encodeToString(of.certificatePem().getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the context of the server. */
  public SSLContext context() {
    try {
      return TlsContexts.of(List.of(leaf.certificate()), leaf.key(), List.of());
    } catch (GeneralSecurityException | IOException fault) {
      throw new IllegalStateException(fault);
    }
  }
}
