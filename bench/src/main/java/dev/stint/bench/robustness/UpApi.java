package dev.stint.bench.robustness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The address and the credentials of a {@code stint up}, for its clients.
 *
 * @param data its data directory
 * @param port a port of the loopback address
 */
public record UpApi(Path data, int port) {
  private static final Duration READY_TIMEOUT = Duration.ofSeconds(60);
  private static final int POLL_MILLIS = 20;

  /** Chooses a port that nobody uses. */
  public static UpApi of(Path data) throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new UpApi(data, socket.getLocalPort());
    }
  }

  /** Returns the address to listen on. */
  public String address() {
    return "127.0.0.1:" + port;
  }

  /**
   * Waits until the server answers.
   *
   * @param isAlive false once its process has ended
   */
  public void awaitReady(BooleanSupplier isAlive) throws IOException, InterruptedException {
    long end = System.nanoTime() + READY_TIMEOUT.toNanos();
    while (!isReady()) {
      if (!isAlive.getAsBoolean() || System.nanoTime() > end) {
        throw new IOException("the server does not start; see " + data.getParent());
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private boolean isReady() throws InterruptedException {
    try (TestedApi api = new HttpsApi(url(), "", HttpClient.Version.HTTP_1_1)) {
      return api.isReady();
    }
  }

  private String url() {
    return "https://" + address();
  }

  /** Returns a new client with all rights, once the server has started for the first time. */
  public TestedApi connect(HttpClient.Version version) throws IOException {
    String token = Files.readString(data.resolve("pki/admin.token")).strip();
    return new HttpsApi(url(), token, version);
  }
}
