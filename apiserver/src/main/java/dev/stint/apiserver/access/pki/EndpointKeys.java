package dev.stint.apiserver.access.pki;

import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;

/** The keys of an API's endpoint: for TLS, for certificates of clients, and for tokens. */
public interface EndpointKeys {
  /**
   * Returns the context of a TLS server. It trusts client certificates of the clients' authorities
   * only; the caller decides whether to request them ({@code setWantClientAuth}).
   */
  SSLContext serverContext() throws GeneralSecurityException, IOException;

  /** Returns the certificate that clients have to trust, as PEM text. */
  String authorityPem();

  /** Returns the keys for tokens of service accounts. */
  ServiceAccountKeys serviceAccountKeys();
}
