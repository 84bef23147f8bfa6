package dev.stint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.access.pki.Pki;
import dev.stint.apiserver.http.server.HttpLimits;
import dev.stint.apiserver.http.server.HttpServer;
import dev.stint.apiserver.http.server.JettyAdapter;
import dev.stint.harness.TestTime;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateUpkeepTest {
  /** Handshakes go by the time of this machine. */
  private final TestTime time = new TestTime(Instant.now().minus(Duration.ofDays(340)));

  private final List<SSLContext> renewals = new ArrayList<>();
  private @TempDir Path keys;
  private Pki pki;

  @BeforeEach
  void makeKeys() throws IOException {
    pki = Pki.open(keys, time, List.of());
  }

  private CertificateUpkeep upkeep(CertificateUpkeep.Renewal renewal) {
    CertificateUpkeep upkeep = new CertificateUpkeep(pki, renewal, time, time, Runnable::run);
    upkeep.start();
    return upkeep;
  }

  @Test
  void aCertificateIsRenewedOnceBeforeItExpires() {
    upkeep(renewals::add);
    time.advance(Duration.ofDays(334));
    assertThat(renewals).isEmpty();
    time.advance(Duration.ofDays(2));
    assertThat(renewals).hasSize(1);
    time.advance(Duration.ofDays(400));
    assertThat(renewals).hasSize(2);
  }

  @Test
  void aRenewalThatFailsIsRepeated() {
    upkeep(tls -> {
      renewals.add(tls);
      if (renewals.size() == 1) {
        throw new IOException("not now");
      }
    });
    time.advance(Duration.ofDays(336));
    assertThat(renewals).hasSize(2);
  }

  @Test
  void aClosedOneRenewsNothing() {
    upkeep(renewals::add).close();
    time.advance(Duration.ofDays(400));
    assertThat(renewals).isEmpty();
  }

  @Test
  void aServerPresentsItsNewCertificateToNewConnections() throws Exception {
    HttpLimits limits = HttpLimits.ofThisMachine();
    try (HttpServer server =
        new HttpServer(InetSocketAddress.createUnresolved("127.0.0.1", 0), limits)) {
      server.start(
          pki.serverContext(),
          new JettyAdapter(
              () -> {
                throw new AssertionError("nobody asks");
              },
              (_, _) -> {
                throw new AssertionError("nobody asks");
              },
              limits));
      upkeep(server::renew);
      Certificate first = presented(server);
      assertThat(presented(server)).isEqualTo(first);
      time.advance(Duration.ofDays(340));
      X509Certificate second = presented(server);
      assertThat(second).isNotEqualTo(first);
      assertThat(second.getNotAfter()).isAfter(Instant.now().plus(Duration.ofDays(300)));
    }
  }

  private X509Certificate presented(HttpServer server) throws Exception {
    try (SSLSocket client =
        (SSLSocket)
            pki.adminContext().getSocketFactory().createSocket("127.0.0.1", server.port())) {
      client.startHandshake();
      return (X509Certificate) client.getSession().getPeerCertificates()[0];
    }
  }
}
