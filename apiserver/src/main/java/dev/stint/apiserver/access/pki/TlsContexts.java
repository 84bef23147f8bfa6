package dev.stint.apiserver.access.pki;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Makes TLS contexts from keys and certificates in memory. */
final class TlsContexts {
  private static final char[] IN_MEMORY = "in memory only".toCharArray();

  private TlsContexts() {}

  /**
   * Returns a context.
   *
   * @param chain the certificate to present, and those that lead to its authority
   * @param key the private key of the first certificate
   * @param trusted the authorities, or the very certificates, that peers are trusted for
   */
  static SSLContext of(List<X509Certificate> chain, PrivateKey key, List<X509Certificate> trusted)
      throws GeneralSecurityException, IOException {
    KeyStore own = emptyStore();
    own.setKeyEntry("identity", key, IN_MEMORY, chain.toArray(Certificate[]::new));
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(own, IN_MEMORY);
    KeyStore authorities = emptyStore();
    for (int i = 0; i < trusted.size(); i++) {
      authorities.setCertificateEntry("authority-" + i, trusted.get(i));
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(authorities);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  /**
   * Returns an empty key store. It never leaves memory, so it has the type that spends no time on
   * encryption.
   */
  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("JKS");
    store.load(null, null);
    return store;
  }
}
