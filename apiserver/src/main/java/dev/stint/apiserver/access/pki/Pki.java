package dev.stint.apiserver.access.pki;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys and certificates of an API: made at the first start, read afterwards, and renewed if
 * certificates are about to expire or don't name a host that clients use. While a server runs, only
 * its own certificate is renewed, and in memory only: nobody else has a copy, and whoever removes
 * files to have new ones at the next start finds them gone.
 *
 * <p>Each certificate is in one file with its key, so that no failure can separate them.
 */
public final class Pki implements EndpointKeys {
  /** The user of the admin's token and certificate. */
  public static final String ADMIN = "stint-admin";

  /** The group whose members may do everything. */
  public static final String MASTERS = "system:masters";

  private static final Logger LOG = LoggerFactory.getLogger(Pki.class);
  private static final Duration AUTHORITY_LIFE = Duration.ofDays(3650);
  private static final Duration LIFE = Duration.ofDays(365);
  private static final Duration RENEWED_BEFORE = Duration.ofDays(30);

  /** Tolerates clients whose clocks are slow. */
  private static final Duration BACKDATED = Duration.ofMinutes(5);

  private final Path directory;
  private final CertificateAndKey authority;
  private volatile CertificateAndKey server;
  private final CertificateAndKey admin;
  private final String adminToken;
  private final KeyPair signing;

  private Pki(
      Path directory,
      CertificateAndKey authority,
      CertificateAndKey server,
      CertificateAndKey admin,
      String adminToken,
      KeyPair signing) {
    this.directory = directory;
    this.authority = authority;
    this.server = server;
    this.admin = admin;
    this.adminToken = adminToken;
    this.signing = signing;
  }

  /**
   * Reads the keys of a directory, and makes those that are missing or about to expire.
   *
   * @param directory made with mode 0700 if it is missing; its files have mode 0600
   * @param hosts names and addresses of the server in addition to localhost, 127.0.0.1 and ::1
   * @throws IOException if files cannot be read or written, or hold something else; the message
   *     names the file
   * @throws IllegalArgumentException for a host that is neither a name nor an address
   */
  public static Pki open(Path directory, InstantSource clock, List<String> hosts)
      throws IOException {
    Set<String> names = HostNames.all(hosts);
    PrivateFiles.directory(directory);
    try {
      return new Opening(directory, clock.instant()).open(names);
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot create keys in " + directory + ": " + e.getMessage(), e);
    }
  }

  /** Returns the certificate of the authority that signs all others. */
  public X509Certificate authority() {
    return authority.certificate();
  }

  @Override
  public String authorityPem() {
    return authority.certificatePem();
  }

  /** Returns the server's certificate and key. */
  CertificateAndKey server() {
    return server;
  }

  /** Returns the admin's certificate and key: user {@link #ADMIN}, group {@link #MASTERS}. */
  public CertificateAndKey admin() {
    return admin;
  }

  /** Returns the admin's bearer token: 256 random bits. Never to be logged. */
  public String adminToken() {
    return adminToken;
  }

  /** Returns the key that signs the tokens of service accounts (P-256, for ES256). */
  public KeyPair signingKey() {
    return signing;
  }

  @Override
  public ServiceAccountKeys serviceAccountKeys() {
    return ServiceAccountKeys.of(signing);
  }

  /** Returns the context of a TLS server, which trusts client certificates of this authority. */
  @Override
  public SSLContext serverContext() throws GeneralSecurityException, IOException {
    return context(server);
  }

  @Override
  public synchronized boolean renewServer(Instant now) throws GeneralSecurityException {
    CertificateAndKey present = server;
    if (present.holds(now, RENEWED_BEFORE) || !authority.holds(now, RENEWED_BEFORE)) {
      return false;
    }
    Set<String> hosts = HostNames.of(present.certificate());
    server = CertificateIssuer.server(authority, "stint", hosts, validity(now, authority));
    return true;
  }

  @Override
  public List<String> warnings(Instant now) {
    List<String> warnings = new ArrayList<>();
    if (!authority.holds(now, RENEWED_BEFORE)) {
      warnings.add(
          "the authority of all certificates is valid until %s; the next start makes a new one, and"
                  .formatted(authority.certificate().getNotAfter().toInstant())
              + " clients need the new kubeconfig");
    } else if (!admin.holds(now, RENEWED_BEFORE)) {
      warnings.add(
          "the admin's certificate is valid until %s; the next start makes a new one"
              .formatted(admin.certificate().getNotAfter().toInstant()));
    }
    AdminToken.warning(directory, now).ifPresent(warnings::add);
    return warnings;
  }

  /** Returns the validity of a new certificate, which ends no later than its authority's. */
  private static CertificateIssuer.Validity validity(Instant now, CertificateAndKey authority) {
    Instant last = authority.certificate().getNotAfter().toInstant();
    Instant until = now.plus(LIFE);
    return new CertificateIssuer.Validity(
        now.minus(BACKDATED), until.isBefore(last) ? until : last);
  }

  /**
   * Returns the context of a TLS client: it trusts only this API, and presents the admin's
   * certificate on request.
   */
  public SSLContext adminContext() throws GeneralSecurityException, IOException {
    return context(admin);
  }

  private SSLContext context(CertificateAndKey identity)
      throws GeneralSecurityException, IOException {
    X509Certificate issuer = authority.certificate();
    return TlsContexts.of(List.of(identity.certificate(), issuer), identity.key(), List.of(issuer));
  }

  /** The opening of a directory, at one time. */
  private record Opening(Path directory, Instant now) {
    private interface Parser<T> {
      T parse(String text) throws GeneralSecurityException;
    }

    private interface Maker {
      CertificateAndKey make() throws GeneralSecurityException;
    }

    Pki open(Set<String> hosts) throws IOException, GeneralSecurityException {
      CertificateAndKey authority =
          kept(
              "ca.pem",
              found -> found.holds(now, RENEWED_BEFORE),
              () -> CertificateIssuer.authority("stint", validity(AUTHORITY_LIFE)));
      publish(authority);
      CertificateAndKey server =
          kept(
              "server.pem",
              found ->
                  isUsable(found, authority)
                      && HostNames.of(found.certificate()).containsAll(hosts),
              () -> CertificateIssuer.server(authority, "stint", hosts, validity(authority)));
      CertificateAndKey admin =
          kept(
              "admin.pem",
              found -> isUsable(found, authority),
              () -> CertificateIssuer.client(authority, ADMIN, MASTERS, validity(authority)));
      return new Pki(directory, authority, server, admin, token(), signing());
    }

    private CertificateIssuer.Validity validity(CertificateAndKey authority) {
      return Pki.validity(now, authority);
    }

    private boolean isUsable(CertificateAndKey found, CertificateAndKey authority) {
      return found.holds(now, RENEWED_BEFORE) && found.isFrom(authority);
    }

    private CertificateIssuer.Validity validity(Duration life) {
      return new CertificateIssuer.Validity(now.minus(BACKDATED), now.plus(life));
    }

    /**
     * Returns a file's certificate and key if they exist and are good enough; otherwise makes and
     * writes new ones.
     */
    private CertificateAndKey kept(
        String name, Predicate<CertificateAndKey> goodEnough, Maker maker)
        throws IOException, GeneralSecurityException {
      CertificateAndKey found = read(name, CertificateAndKey::parse);
      if (found != null && goodEnough.test(found)) {
        return found;
      }
      if (found != null) {
        LOG.info(
            "Replacing {}: it expires soon, or does not cover the names that clients use",
            directory.resolve(name));
      }
      CertificateAndKey made = maker.make();
      PrivateFiles.write(directory.resolve(name), made.pem());
      return made;
    }

    /** Writes the authority's certificate without its key, for clients that take a file. */
    private void publish(CertificateAndKey authority) throws IOException {
      Path file = directory.resolve("ca.crt");
      String text = authority.certificatePem();
      if (!Files.exists(file) || !Files.readString(file).equals(text)) {
        PrivateFiles.write(file, text);
      }
    }

    private KeyPair signing() throws IOException, GeneralSecurityException {
      KeyPair found = read("service-accounts.pem", EcKeys::parse);
      if (found != null) {
        return found;
      }
      KeyPair made = EcKeys.generate();
      PrivateFiles.write(directory.resolve("service-accounts.pem"), EcKeys.pem(made));
      return made;
    }

    private String token() throws IOException {
      Path file = directory.resolve("admin.token");
      String found = read("admin.token", Opening::token);
      if (found != null && !expiresSoon(file)) {
        return found;
      }
      if (found != null) {
        LOG.info("Replacing {}, which expires soon; replace copies of the kubeconfig", file);
      }
      String made = AdminToken.random();
      PrivateFiles.write(file, made + "\n");
      return made;
    }

    private boolean expiresSoon(Path file) throws IOException {
      return AdminToken.endsBefore(
          Files.getLastModifiedTime(file), now.plus(AdminToken.RENEWED_BEFORE));
    }

    /** Validates a token: a truncated one could be guessed. */
    private static String token(String text) throws GeneralSecurityException {
      String token = text.strip();
      if (!token.matches("[A-Za-z0-9_-]{43,}")) {
        throw new GeneralSecurityException("a token must have at least 43 letters and digits");
      }
      return token;
    }

    private <T> @Nullable T read(String name, Parser<T> parser) throws IOException {
      Path file = directory.resolve(name);
      if (!Files.exists(file)) {
        return null;
      }
      try {
        return parser.parse(Files.readString(file));
      } catch (GeneralSecurityException | IllegalArgumentException e) {
        throw new IOException(
            "cannot read %s: %s; remove it, and a new one is created"
                .formatted(file, e.getMessage()),
            e);
      }
    }
  }
}
