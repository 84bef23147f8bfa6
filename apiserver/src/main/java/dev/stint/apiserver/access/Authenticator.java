package dev.stint.apiserver.access;

import dev.stint.apiserver.access.ServiceAccountTokens.TokenCheck;
import dev.stint.apiserver.access.pki.Pki;
import dev.stint.model.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates requests: by the certificate that TLS has verified, or by a bearer token, the
 * admin's or a service account's.
 *
 * <p>A request with an invalid token is refused, even with a good certificate: otherwise it would
 * act as another user than its client intended.
 */
public final class Authenticator {
  private static final String SCHEME = "Bearer";

  private final Supplier<@Nullable String> adminToken;
  private final ServiceAccountTokens serviceAccounts;
  private final InstantSource clock;

  /** The users of certificates, cached while connections hold the certificates. */
  private final Map<X509Certificate, Authentication> holders =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** Creates an authenticator with an admin's token that never changes. */
  public Authenticator(
      String adminToken, ServiceAccountTokens serviceAccounts, InstantSource clock) {
    this(() -> adminToken, serviceAccounts, clock);
  }

  /**
   * @param adminToken returns the admin's token; null while there is no valid one
   */
  public Authenticator(
      Supplier<@Nullable String> adminToken,
      ServiceAccountTokens serviceAccounts,
      InstantSource clock) {
    this.adminToken = adminToken;
    this.serviceAccounts = serviceAccounts;
    this.clock = clock;
  }

  /**
   * Authenticates a request.
   *
   * @param peer the client's certificate, whose chain TLS has verified; null if there is none
   * @param authorization the header {@code Authorization}; null if there is none
   */
  public Authentication of(@Nullable X509Certificate peer, @Nullable String authorization) {
    Authentication byToken =
        authorization == null ? new Authentication.Anonymous() : byHeader(authorization.strip());
    return byToken instanceof Authentication.Refused || peer == null
        ? byToken
        : byCertificate(peer);
  }

  private boolean isAdminToken(String token) {
    String valid = adminToken.get();
    return valid != null
        && MessageDigest.isEqual(
            token.getBytes(StandardCharsets.UTF_8), valid.getBytes(StandardCharsets.UTF_8));
  }

  /** Verifies a token for certain audiences or (none) for this API. */
  TokenCheck byToken(String token, List<String> audiences) {
    List<String> ours =
        serviceAccounts.audiences().stream()
            .filter(name -> audiences.isEmpty() || audiences.contains(name))
            .toList();
    if (!ours.isEmpty() && isAdminToken(token)) {
      return new TokenCheck.Valid(User.of(Pki.ADMIN, Pki.MASTERS).authenticated(), ours);
    }
    return ServiceAccountTokens.looksLikeOne(token)
        ? serviceAccounts.verify(token, audiences)
        : new TokenCheck.Invalid("nobody's token");
  }

  /**
   * Authenticates by the header. As in Kubernetes, a header without a bearer token counts as none.
   */
  private Authentication byHeader(String header) {
    String[] parts = header.split(" ", 3);
    if (parts.length < 2 || !parts[0].equalsIgnoreCase(SCHEME) || parts[1].isEmpty()) {
      return new Authentication.Anonymous();
    }
    return switch (byToken(parts[1], List.of())) {
      case TokenCheck.Valid valid -> new Authentication.Known(valid.user());
      case TokenCheck.Invalid(String why) -> new Authentication.Refused("bad bearer token: " + why);
    };
  }

  private Authentication byCertificate(X509Certificate peer) {
    Date now = Date.from(clock.instant());
    if (now.after(peer.getNotAfter()) || now.before(peer.getNotBefore())) {
      return new Authentication.Refused("the client's certificate has expired or is not valid yet");
    }
    return holders.computeIfAbsent(peer, Authenticator::holder);
  }

  private static Authentication holder(X509Certificate peer) {
    List<String> names = subject(peer, "CN");
    if (names.isEmpty() || names.getFirst().isEmpty()) {
      return new Authentication.Refused("the client's certificate names no user (CN)");
    }
    User user = new User(names.getFirst(), "", subject(peer, "O"), credential(peer));
    return new Authentication.Known(user.authenticated());
  }

  /** Returns the values of one attribute of a certificate's subject. */
  private static List<String> subject(X509Certificate certificate, String attribute) {
    List<String> values = new ArrayList<>();
    try {
      for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
        Attribute found = part.toAttributes().get(attribute);
        for (int i = 0; found != null && i < found.size(); i++) {
          values.add(String.valueOf(found.get(i)));
        }
      }
    } catch (NamingException unreadable) {
      return List.of();
    }
    return values;
  }

  private static Map<String, List<String>> credential(X509Certificate certificate) {
    try {
      String id = "X509SHA256=" + Sha256.hex(certificate.getEncoded());
      return Map.of("authentication.kubernetes.io/credential-id", List.of(id));
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("cannot encode a certificate that was decoded before", e);
    }
  }
}
