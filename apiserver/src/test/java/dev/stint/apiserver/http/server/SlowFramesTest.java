package dev.stint.apiserver.http.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.access.pki.Pki;
import dev.stint.apiserver.catalogue.TestCatalogue;
import dev.stint.apiserver.http.ApiResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlowFramesTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final long START = 5_000_000_000L;
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int CONTINUATION = 9;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;

  private final SlowFrames frames = new SlowFrames();

  private boolean isLate(long begins, long received, Duration after) {
    return frames.isLate(begins, received, START + after.toNanos(), LIMIT);
  }

  @Test
  void whatComesInSmallPartsForTooLongIsLate() {
    assertThat(isLate(START, 10, Duration.ofSeconds(1))).isFalse();
    assertThat(isLate(START, 11, Duration.ofSeconds(9))).isFalse();
    assertThat(isLate(START, 12, Duration.ofSeconds(11))).isTrue();
  }

  @Test
  void whatIsCompleteIsNotLateHoweverLongAgoItWas() {
    isLate(START, 10, Duration.ofSeconds(1));
    assertThat(isLate(START, 10, Duration.ofHours(1))).isFalse();
    assertThat(isLate(START + 1, 20, Duration.ofHours(2))).isFalse();
    assertThat(isLate(0, 20, Duration.ofHours(2))).isFalse();
    assertThat(isLate(0, 30, Duration.ofHours(3))).isFalse();
  }

  /** The client has been served before, so that nothing but the head is wrong with it. */
  @Test
  void aHeadOfHttp2ThatComesByteByByteClosesItsConnection(@TempDir Path directory)
      throws Exception {
    HttpLimits quick =
        HttpLimits.of(128 << 20, 4_000)
            .withTimes(Duration.ofHours(1), Duration.ofMillis(1_500), Duration.ofHours(1));
    Pki pki = Pki.open(directory, InstantSource.system(), List.of());
    try (HttpServer server =
        new HttpServer(InetSocketAddress.createUnresolved("127.0.0.1", 0), quick)) {
      server.start(
          pki.serverContext(),
          new JettyAdapter(
              () -> TestCatalogue.BUILT_IN, (_, _) -> ApiResponse.text(200, "ok"), quick));
      try (SSLSocket socket = connect(pki, server.port())) {
        byte[] head = {(byte) 0x82, (byte) 0x87, (byte) 0x84, 0x41, 1, 'h'};
        socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
        send(socket, SETTINGS, 0, 0, new byte[0]);
        send(socket, HEADERS, END_STREAM | END_HEADERS, 1, head);
        awaitText(socket.getInputStream(), "ok");
        send(socket, HEADERS, END_STREAM, 3, head);
        assertThat(isClosedWhileContinuing(socket, 3)).isTrue();
      }
    }
  }

  private static SSLSocket connect(Pki pki, int port) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null);
    trusted.setCertificateEntry(
        "authority",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(pki.authorityPem().getBytes(US_ASCII))));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket("127.0.0.1", port);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(parameters);
    return socket;
  }

  private static void send(SSLSocket socket, int type, int flags, int stream, byte[] payload)
      throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) 0).putShort((short) payload.length).put((byte) type).put((byte) flags);
    socket.getOutputStream().write(frame.putInt(stream).put(payload).array());
  }

  private static void awaitText(InputStream in, String text) throws IOException {
    StringBuilder seen = new StringBuilder();
    while (seen.indexOf(text) < 0) {
      int next = in.read();
      assertThat(next).as("the server closed the connection too early").isNotNegative();
      seen.append((char) next);
    }
  }

  /** Sends one byte of the head at a time, as often as the server says nothing for a while. */
  private static boolean isClosedWhileContinuing(SSLSocket socket, int stream) throws IOException {
    socket.setSoTimeout(200);
    for (int i = 0; i < 100; i++) {
      try {
        if (socket.getInputStream().read() < 0) {
          return true;
        }
      } catch (SocketTimeoutException silent) {
        send(socket, CONTINUATION, 0, stream, new byte[] {0});
      } catch (SocketException reset) {
        return true;
      }
    }
    return false;
  }
}
