package dev.stint.apiserver.webhook;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The certificates that webhooks are trusted for: authorities, or the very certificates. */
public final class CaBundle {
  private CaBundle() {}

  /** True if a bundle, PEM in base64, holds certificates; an empty one counts as valid. */
  public static boolean isValid(String base64) {
    try {
      return base64.isEmpty() || !certificates(base64).isEmpty();
    } catch (GeneralSecurityException | IllegalArgumentException malformed) {
      return false;
    }
  }

  /** Returns a context that trusts a bundle; an empty one stands for what the machine trusts. */
  static SSLContext context(String base64) throws GeneralSecurityException {
    if (base64.isEmpty()) {
      return SSLContext.getDefault();
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(store(certificates(base64)));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private static KeyStore store(Collection<? extends Certificate> certificates)
      throws GeneralSecurityException {
    try {
      KeyStore store = KeyStore.getInstance("JKS");
      store.load(null, null);
      for (Certificate certificate : certificates) {
        store.setCertificateEntry("ca-" + store.size(), certificate);
      }
      return store;
    } catch (IOException impossible) {
      throw new GeneralSecurityException(impossible);
    }
  }

  private static Collection<? extends Certificate> certificates(String base64)
      throws GeneralSecurityException {
    byte[] pem = Base64.getMimeDecoder().decode(base64);
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(pem));
  }
}
