package dev.stint.apiserver.access.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys are created once, readable only by their owner, renewed in time, and usable for TLS. */
class PkiTest {
  private static final List<String> FILES =
      List.of("ca.pem", "ca.crt", "server.pem", "admin.pem", "admin.token", "service-accounts.pem");

  @TempDir private Path temp;

  @Test
  void keysAreMadeOnceAndReadAfterwards() throws Exception {
    Pki first = open(InstantSource.system());
    Pki second = open(InstantSource.system());
    assertThat(second.authority()).isEqualTo(first.authority());
    assertThat(second.server()).isEqualTo(first.server());
    assertThat(second.admin()).isEqualTo(first.admin());
    assertThat(second.adminToken()).isEqualTo(first.adminToken()).hasSize(43);
    assertThat(second.signingKey().getPublic()).isEqualTo(first.signingKey().getPublic());
    assertThat(Files.readString(directory().resolve("ca.crt"))).isEqualTo(first.authorityPem());
  }

  @Test
  void nobodyElseCanReadThem() throws Exception {
    open(InstantSource.system());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory())))
        .isEqualTo("rwx------");
    try (Stream<Path> files = Files.list(directory())) {
      assertThat(files)
          .hasSize(FILES.size())
          .allSatisfy(file -> {
            assertThat(FILES).contains(file.getFileName().toString());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
          });
    }
  }

  @Test
  void certificatesAreMadeAnewBeforeTheyExpireAndTheAuthorityStays() throws Exception {
    Instant start = Instant.parse("2026-11-21T00:00:00Z");
    Pki first = open(() -> start);
    Pki kept = open(() -> start.plus(Duration.ofDays(334)));
    Pki renewed = open(() -> start.plus(Duration.ofDays(336)));
    assertThat(kept.server()).isEqualTo(first.server());
    assertThat(renewed.authority()).isEqualTo(first.authority());
    assertThat(renewed.server()).isNotEqualTo(first.server());
    assertThat(renewed.admin()).isNotEqualTo(first.admin());
    assertThat(renewed.admin().certificate().getNotAfter())
        .isEqualTo(start.plus(Duration.ofDays(336 + 365)));
    assertThat(renewed.adminToken()).isEqualTo(first.adminToken());
  }

  @Test
  void aRunningServerRenewsItsCertificateForItsNamesAndWarnsOfTheRest() throws Exception {
    Instant start = Instant.parse("2026-11-21T00:00:00Z");
    Pki running = open(() -> start, "build.example.com");
    Files.setLastModifiedTime(directory().resolve("admin.token"), FileTime.from(start));
    CertificateAndKey first = running.server();
    assertThat(running.renewServer(start.plus(Duration.ofDays(334)))).isFalse();
    assertThat(running.warnings(start.plus(Duration.ofDays(334)))).isEmpty();

    Instant later = start.plus(Duration.ofDays(360));
    assertThat(running.renewServer(later)).isTrue();
    assertThat(running.renewServer(later)).isFalse();
    assertThat(HostNames.of(running.server().certificate()))
        .isEqualTo(HostNames.of(first.certificate()))
        .contains("build.example.com");
    assertThat(running.server().certificate().getNotAfter())
        .isEqualTo(later.plus(Duration.ofDays(365)));
    running.server().certificate().verify(running.authority().getPublicKey());
    assertThat(running.warnings(later))
        .satisfiesExactly(
            certificate -> assertThat(certificate).contains("2027-11-21", "the next start"),
            token -> assertThat(token).contains("2027-11-21", "stint rotate admin-token"));
  }

  @Test
  void aRunningServerKeepsItsCertificateUntilTheEndOfItsAuthorityAndWarns() throws Exception {
    Instant start = Instant.parse("2026-11-21T00:00:00Z");
    Pki running = open(() -> start);
    Instant last = start.plus(Duration.ofDays(3630));
    assertThat(running.renewServer(last)).isFalse();
    assertThat(running.warnings(last).getFirst()).contains("authority", "2036-11-18");
  }

  @Test
  void allCertificatesAreMadeAnewWithAnAuthorityThatExpires() throws Exception {
    Instant start = Instant.parse("2026-11-21T00:00:00Z");
    Pki first = open(() -> start);
    Pki last = open(() -> start.plus(Duration.ofDays(3500)));
    Pki renewed = open(() -> start.plus(Duration.ofDays(3630)));
    assertThat(last.server().certificate().getNotAfter())
        .isEqualTo(first.authority().getNotAfter());
    assertThat(renewed.authority()).isNotEqualTo(first.authority());
    renewed.server().certificate().verify(renewed.authority().getPublicKey());
    renewed.admin().certificate().verify(renewed.authority().getPublicKey());
    assertThat(renewed.authority().getNotAfter()).isAfter(first.authority().getNotAfter());
  }

  @Test
  void theServersCertificateIsMadeAnewForOtherNames() throws Exception {
    Pki first = open(InstantSource.system());
    Pki more = open(InstantSource.system(), "Build.Example.com", "[fd00::1]", "10.1.2.3");
    Pki fewer = open(InstantSource.system(), "10.1.2.3");
    assertThat(HostNames.of(first.server().certificate()))
        .containsExactlyInAnyOrder("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");
    assertThat(HostNames.of(more.server().certificate()))
        .contains("build.example.com", "fd00:0:0:0:0:0:0:1", "10.1.2.3", "localhost");
    assertThat(fewer.server()).isEqualTo(more.server());
    assertThat(more.admin()).isEqualTo(first.admin());
  }

  @Test
  void aHostThatIsNoneIsRefusedByName() {
    assertThatThrownBy(() -> open(InstantSource.system(), "what host"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"what host\"");
  }

  @Test
  void aFileThatHoldsSomethingElseIsNamed() throws Exception {
    for (String name : List.of("ca.pem", "server.pem", "admin.token", "service-accounts.pem")) {
      open(InstantSource.system());
      String before = Files.readString(directory().resolve(name));
      for (String damaged : List.of("", before.substring(0, 30), "-----BEGIN CERTIFICATE-----")) {
        Files.writeString(directory().resolve(name), damaged);
        assertThatThrownBy(() -> open(InstantSource.system()))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(name)
            .hasMessageContaining("remove it");
      }
      Files.writeString(directory().resolve(name), before);
    }
  }

  @Test
  void clientsAndServersTrustEachOther() throws Exception {
    Pki pki = open(InstantSource.system());
    X509Certificate seen = handshake(pki.serverContext(), pki.adminContext());
    assertThat(seen).isEqualTo(pki.admin().certificate());
  }

  @Test
  void clientsOfAnotherAuthorityDontGetThrough() throws Exception {
    Pki pki = open(InstantSource.system());
    Pki other = Pki.open(temp.resolve("other"), InstantSource.system(), List.of());
    assertThatThrownBy(() -> handshake(pki.serverContext(), other.adminContext()))
        .isInstanceOf(SSLException.class);
  }

  @Test
  void opensslFindsNothingToComplainAbout() throws Exception {
    assumeTrue(runs("openssl", "version"), "SKIPPED: openssl is not installed");
    Pki pki = open(InstantSource.system(), "build.example.com", "10.1.2.3");
    String authority = directory().resolve("ca.crt").toString();
    String server = directory().resolve("server.pem").toString();
    String admin = directory().resolve("admin.pem").toString();
    List<String> strict =
        List.of("openssl", "verify", "-x509_strict", "-check_ss_sig", "-CAfile", authority);
    assertThat(
            output(with(strict, "-purpose", "sslserver", "-verify_hostname", "localhost", server)))
        .endsWith("server.pem: OK\n");
    assertThat(output(with(strict, "-purpose", "sslserver", "-verify_ip", "::1", server)))
        .endsWith("server.pem: OK\n");
    assertThat(output(with(strict, "-purpose", "sslserver", "-verify_ip", "10.1.2.3", server)))
        .endsWith("server.pem: OK\n");
    assertThat(output(with(strict, "-purpose", "sslclient", admin))).endsWith("admin.pem: OK\n");
    assertThat(output(with(strict, "-purpose", "sslclient", server))).contains("error 26");
    assertThat(pki.authority().getVersion()).isEqualTo(3);
  }

  @Test
  void readingKeysNeedsNoBouncyCastle() throws Exception {
    open(InstantSource.system());
    List<URL> path = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (!entry.contains("bouncycastle")) {
        path.add(Path.of(entry).toUri().toURL());
      }
    }
    try (URLClassLoader without =
        new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      assertThatThrownBy(() -> without.loadClass("org.bouncycastle.asn1.x500.X500Name"))
          .isInstanceOf(ClassNotFoundException.class);
      Object pki =
          without
              .loadClass(Pki.class.getName())
              .getMethod("open", Path.class, InstantSource.class, List.class)
              .invoke(null, directory(), InstantSource.system(), List.of());
      assertThat(pki.getClass().getMethod("adminToken").invoke(pki))
          .isEqualTo(open(InstantSource.system()).adminToken());
    }
  }

  private Path directory() {
    return temp.resolve("pki");
  }

  private Pki open(InstantSource clock, String... hosts) throws IOException {
    return Pki.open(directory(), clock, List.of(hosts));
  }

  /**
   * Returns the client's certificate as the server sees it; fails if the client or the server does.
   */
  private static @Nullable X509Certificate handshake(SSLContext server, SSLContext client)
      throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (SSLServerSocket listening =
        (SSLServerSocket) server.getServerSocketFactory().createServerSocket(0, 1, here)) {
      listening.setWantClientAuth(true);
      CompletableFuture<X509Certificate> seen = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(() -> {
            try (SSLSocket accepted = (SSLSocket) listening.accept()) {
              accepted.startHandshake();
              seen.complete((X509Certificate) accepted.getSession().getPeerCertificates()[0]);
              accepted.getOutputStream().write(1);
            } catch (IOException e) {
              seen.completeExceptionally(e);
            }
          });
      try (SSLSocket socket =
          (SSLSocket) client.getSocketFactory().createSocket(here, listening.getLocalPort())) {
        var parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        if (socket.getInputStream().read() != 1) {
          throw new SSLException("the server hung up");
        }
        return seen.get();
      }
    }
  }

  private static boolean runs(String... command) {
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    } catch (IOException | InterruptedException absent) {
      return false;
    }
  }

  private static List<String> with(List<String> command, String... more) {
    return Stream.concat(command.stream(), Stream.of(more)).toList();
  }

  private static String output(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (InputStream in = process.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
