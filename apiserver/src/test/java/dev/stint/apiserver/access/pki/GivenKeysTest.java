package dev.stint.apiserver.access.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys of test environments are used as they are, and nothing is written beside them. */
class GivenKeysTest {
  private final Instant now = Instant.now();

  @TempDir private Path directory = Path.of("");

  @Test
  void itServesWithTheGivenCertificateOfRsa() throws Exception {
    CertificateAndKey server = selfSigned("server", GeneratedKeys.rsa(), "SHA256withRSA");
    GivenKeys keys = readServer(server.certificatePem(), PemKeysTest.traditional(server.key()));
    assertThat(keys.authorityPem()).isEqualTo(server.certificatePem());
    SSLContext client = TlsContexts.of(chain(server), server.key(), chain(server));
    assertThat(shakeHands(keys.serverContext(), client).server()).isEqualTo(server.certificate());
  }

  @Test
  void aSelfSignedLeafIsAnAuthorityOfClients() throws Exception {
    CertificateAndKey client = selfSigned("admin", GeneratedKeys.rsa(), "SHA256withRSA");
    GivenKeys keys = read(client, List.of(), null, List.of());
    SSLContext trusting =
        TlsContexts.of(chain(client), client.key(), PemKeys.certificates(keys.authorityPem()));
    assertThat(shakeHands(keys.serverContext(), trusting).client()).isEqualTo(client.certificate());
  }

  @Test
  void aClientOfTheAuthorityMayBeMadeLater() throws Exception {
    CertificateIssuer.Validity validity =
        new CertificateIssuer.Validity(now.minusSeconds(60), now.plusSeconds(3600));
    CertificateAndKey authority = CertificateIssuer.authority("ca", validity);
    GivenKeys keys = read(authority, List.of(), null, List.of());
    SSLContext server = keys.serverContext();
    CertificateAndKey client = CertificateIssuer.client(authority, "jane", "devs", validity);
    SSLContext trusting =
        TlsContexts.of(chain(client), client.key(), PemKeys.certificates(keys.authorityPem()));
    assertThat(shakeHands(server, trusting).client()).isEqualTo(client.certificate());
  }

  /** It may be a company's, and have issued certificates for many other purposes. */
  @Test
  void theIssuerOfTheServersCertificateIsNoAuthorityOfClients() throws Exception {
    CertificateIssuer.Validity validity =
        new CertificateIssuer.Validity(now.minusSeconds(60), now.plusSeconds(3600));
    CertificateAndKey authority = CertificateIssuer.authority("company", validity);
    CertificateAndKey server =
        CertificateIssuer.server(
            authority, "api", HostNames.all(List.of("stint.example")), validity);
    GivenKeys keys =
        readServer(server.certificatePem() + authority.certificatePem(), server.keyPem());
    assertThat(keys.authorityPem()).isEqualTo(authority.certificatePem());
    CertificateAndKey client =
        CertificateIssuer.client(authority, "jane", "system:masters", validity);
    SSLContext trusting = TlsContexts.of(chain(client), client.key(), chain(authority));
    assertThat(shakeHands(keys.serverContext(), trusting).client()).isNull();
  }

  @Test
  void aCertificateMayBeTheKeyOfTokens() throws Exception {
    KeyPair pair = GeneratedKeys.rsa();
    CertificateAndKey signer = selfSigned("sa", pair, "SHA256withRSA");
    ServiceAccountKeys keys =
        read(
                null,
                List.of(write("sa.crt", signer.certificatePem())),
                write("sa.key", signer.keyPem()),
                List.of("/some/file", "https://old"))
            .serviceAccountKeys();
    assertThat(keys.signer().getPublic()).isEqualTo(pair.getPublic());
    assertThat(keys.verifiers()).containsExactly(pair.getPublic());
    assertThat(keys.issuer()).isEqualTo("/some/file");
    assertThat(keys.audiences()).containsExactly("/some/file", "https://old");
  }

  @Test
  void whatIsNotGivenIsMadeInMemory() throws Exception {
    GivenKeys keys = read(null, List.of(), null, List.of());
    assertThat(keys.serviceAccountKeys().issuers()).containsExactly(ServiceAccountKeys.ISSUER);
    List<X509Certificate> trusted = PemKeys.certificates(keys.authorityPem());
    CertificateAndKey nobody = selfSigned("x", EcKeys.generate(), "SHA256withECDSA");
    SSLContext client = TlsContexts.of(chain(nobody), nobody.key(), trusted);
    assertThat(HostNames.of(shakeHands(keys.serverContext(), client).server()))
        .contains("localhost", "127.0.0.1", "stint.example");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void aFaultNamesItsFile() throws Exception {
    Path broken = write("sa.crt", "nothing");
    assertThatThrownBy(() -> read(null, List.of(broken), null, List.of()))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot read " + broken + ": it holds neither a key nor a certificate");
    Path missing = directory.resolve("missing");
    assertThatThrownBy(() -> read(null, List.of(), missing, List.of()))
        .isInstanceOf(IOException.class)
        .hasMessage("no file " + missing);
  }

  /** Reads the keys of a server that was given its certificate, and no authority of clients. */
  private GivenKeys readServer(String certificates, String key) throws IOException {
    return GivenKeys.read(
        new GivenKeys.Sources(
            write("apiserver.crt", certificates),
            write("apiserver.key", key),
            null,
            List.of(),
            null,
            List.of(),
            List.of()),
        now,
        List.of());
  }

  private GivenKeys read(
      @Nullable CertificateAndKey clients,
      List<Path> tokenKeys,
      @Nullable Path signer,
      List<String> issuers)
      throws IOException {
    Path authority = clients == null ? null : write("client-ca.crt", clients.certificatePem());
    return GivenKeys.read(
        new GivenKeys.Sources(null, null, authority, tokenKeys, signer, issuers, List.of()),
        now,
        List.of("stint.example"));
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private static List<X509Certificate> chain(CertificateAndKey one) {
    return List.of(one.certificate());
  }

  private CertificateAndKey selfSigned(String name, KeyPair keys, String algorithm)
      throws Exception {
    X500Name subject = new X500Name("CN=" + name);
    return new CertificateAndKey(
        new JcaX509CertificateConverter()
            .getCertificate(
                new JcaX509v3CertificateBuilder(
                        subject,
                        BigInteger.ONE,
                        Date.from(now.minusSeconds(60)),
                        Date.from(now.plusSeconds(3600)),
                        subject,
                        keys.getPublic())
                    .build(new JcaContentSignerBuilder(algorithm).build(keys.getPrivate()))),
        keys.getPrivate());
  }

  /**
   * The certificates that two sides have seen of each other.
   *
   * @param client null if the server accepted none
   */
  private record Seen(X509Certificate server, @Nullable X509Certificate client) {}

  private static Seen shakeHands(SSLContext server, SSLContext client) throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (SSLServerSocket listening =
        (SSLServerSocket) server.getServerSocketFactory().createServerSocket(0, 1, loopback)) {
      listening.setWantClientAuth(true);
      CompletableFuture<@Nullable X509Certificate> seen = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(() -> {
            try (SSLSocket accepted = (SSLSocket) listening.accept()) {
              accepted.startHandshake();
              seen.complete((X509Certificate) accepted.getSession().getPeerCertificates()[0]);
            } catch (IOException none) {
              seen.complete(null);
            }
          });
      try (SSLSocket socket =
          (SSLSocket) client.getSocketFactory().createSocket(loopback, listening.getLocalPort())) {
        socket.startHandshake();
        X509Certificate of = (X509Certificate) socket.getSession().getPeerCertificates()[0];
        return new Seen(of, seen.join());
      }
    }
  }
}
