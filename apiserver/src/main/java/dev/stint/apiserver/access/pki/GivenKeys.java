package dev.stint.apiserver.access.pki;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Keys and certificates that somebody else made, in files that are only read. Missing ones are
 * made, and stay in memory.
 */
public final class GivenKeys implements EndpointKeys {
  private static final Duration LIFE = Duration.ofDays(365);
  private static final Duration BACKDATED = Duration.ofMinutes(5);

  /**
   * The files, as the flags of a Kubernetes API server name them.
   *
   * @param certificate the server's certificate, followed by those that lead to its authority; null
   *     to make one
   * @param key the private key of the certificate; null if there is no certificate
   * @param clientAuthority the authorities of clients' certificates; null if clients have none
   * @param tokenKeys the public keys of tokens, also as private keys or certificates
   * @param tokenSigner the private key of new tokens; null to make one
   * @param issuers the issuers of tokens; none means the usual one
   * @param audiences the names of this API in tokens; none means the issuers
   */
  public record Sources(
      @Nullable Path certificate,
      @Nullable Path key,
      @Nullable Path clientAuthority,
      List<Path> tokenKeys,
      @Nullable Path tokenSigner,
      List<String> issuers,
      List<String> audiences) {}

  private interface Parser<T> {
    T parse(String text) throws GeneralSecurityException;
  }

  /** The server's certificate, those that lead to its authority, and the key of the first. */
  private record Identity(List<X509Certificate> chain, PrivateKey key) {}

  private final Identity server;
  private final List<X509Certificate> clientAuthorities;
  private final ServiceAccountKeys serviceAccounts;

  private GivenKeys(
      Identity server,
      List<X509Certificate> clientAuthorities,
      ServiceAccountKeys serviceAccounts) {
    this.server = server;
    this.clientAuthorities = clientAuthorities;
    this.serviceAccounts = serviceAccounts;
  }

  /**
   * Reads the files.
   *
   * @param hosts names and addresses of the server, for a certificate that is made
   * @throws IOException if a file cannot be read or holds something else; the message names it
   */
  public static GivenKeys read(Sources sources, Instant now, List<String> hosts)
      throws IOException {
    try {
      Identity server =
          sources.certificate == null || sources.key == null
              ? made(now, hosts)
              : new Identity(
                  read(sources.certificate, PemKeys::certificates),
                  read(sources.key, PemKeys::privateKey));
      List<X509Certificate> clients =
          sources.clientAuthority == null
              ? List.of(authorityOfNobody(now))
              : read(sources.clientAuthority, PemKeys::certificates);
      return new GivenKeys(server, clients, tokenKeys(sources));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException("cannot use the given keys: " + e.getMessage(), e);
    }
  }

  /**
   * Returns an authority whose key is forgotten: a server that asks for certificates must trust
   * some authority. That of its own certificate may have issued others for any purpose.
   */
  private static X509Certificate authorityOfNobody(Instant now) throws GeneralSecurityException {
    return CertificateIssuer.authority("stint", validity(now)).certificate();
  }

  private static CertificateIssuer.Validity validity(Instant now) {
    return new CertificateIssuer.Validity(now.minus(BACKDATED), now.plus(LIFE));
  }

  private static Identity made(Instant now, List<String> hosts) throws GeneralSecurityException {
    CertificateIssuer.Validity validity = validity(now);
    CertificateAndKey authority = CertificateIssuer.authority("stint", validity);
    CertificateAndKey server =
        CertificateIssuer.server(authority, "stint", HostNames.all(hosts), validity);
    return new Identity(List.of(server.certificate(), authority.certificate()), server.key());
  }

  private static ServiceAccountKeys tokenKeys(Sources sources)
      throws IOException, GeneralSecurityException {
    KeyPair signer =
        sources.tokenSigner == null
            ? EcKeys.generate()
            : PemKeys.pair(read(sources.tokenSigner, PemKeys::privateKey));
    List<PublicKey> verifiers = new ArrayList<>();
    for (Path file : sources.tokenKeys) {
      verifiers.addAll(read(file, PemKeys::publicKeys));
    }
    if (!verifiers.contains(signer.getPublic())) {
      verifiers.addFirst(signer.getPublic());
    }
    List<String> issuers =
        sources.issuers.isEmpty() ? List.of(ServiceAccountKeys.ISSUER) : sources.issuers;
    return new ServiceAccountKeys(
        signer, verifiers, issuers, sources.audiences.isEmpty() ? issuers : sources.audiences);
  }

  private static <T> T read(Path file, Parser<T> parser) throws IOException {
    try {
      return parser.parse(Files.readString(file, StandardCharsets.ISO_8859_1));
    } catch (NoSuchFileException missing) {
      throw new IOException("no file " + file, missing);
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  @Override
  public SSLContext serverContext() throws GeneralSecurityException, IOException {
    return TlsContexts.of(server.chain, server.key, clientAuthorities);
  }

  @Override
  public String authorityPem() {
    return CertificateAndKey.pem(server.chain.getLast());
  }

  @Override
  public ServiceAccountKeys serviceAccountKeys() {
    return serviceAccounts;
  }
}
