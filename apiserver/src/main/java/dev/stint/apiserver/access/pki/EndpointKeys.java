package dev.stint.apiserver.access.pki;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLContext;

/** The keys of an API's endpoint: for TLS, for certificates of clients, and for tokens. */
public interface EndpointKeys {
  /**
   * Returns the context of a TLS server. It trusts client certificates of the clients' authorities
   * only; the caller decides whether to request them ({@code setWantClientAuth}).
   */
  SSLContext serverContext() throws GeneralSecurityException, IOException;

  /**
   * Makes a new certificate of the server, for the contexts from then on, if the present one is
   * about to expire.
   *
   * @return true if it did; false also if somebody else makes the certificates
   */
  default boolean renewServer(Instant now) throws GeneralSecurityException {
    return false;
  }

  /** Returns what else is about to expire, and what to do about it: a line for each. */
  default List<String> warnings(Instant now) {
    return List.of();
  }

  /** Returns the certificate that clients have to trust, as PEM text. */
  String authorityPem();

  /** Returns the keys for tokens of service accounts. */
  ServiceAccountKeys serviceAccountKeys();
}
