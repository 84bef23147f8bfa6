package dev.stint.embedded;

import dev.stint.apiserver.access.Kubeconfig;
import dev.stint.apiserver.access.Pki;
import dev.stint.apiserver.http.Gate;
import dev.stint.apiserver.http.HttpServer;
import dev.stint.apiserver.http.Requests;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;

/** A control plane's API on a port. */
public final class Endpoint implements AutoCloseable {
  private final HttpServer server;
  private final Pki pki;
  private final String host;

  private Endpoint(HttpServer server, Pki pki, String host) {
    this.server = server;
    this.pki = pki;
    this.host = host;
  }

  /**
   * Starts to listen.
   *
   * @throws IOException where the address can't be listened on
   */
  public static Endpoint open(InetSocketAddress address, Pki pki, Gate gate)
      throws IOException, GeneralSecurityException {
    HttpServer server = new HttpServer(address, pki.serverContext(), new Requests(gate));
    server.start();
    return new Endpoint(server, pki, address.getHostString());
  }

  /** Where clients find it. */
  public String url() {
    String named = host.contains(":") ? "[" + host + "]" : host;
    return "https://" + named + ":" + server.port();
  }

  /** Writes what clients need to get in, for this user's eyes alone. */
  public void writeKubeconfig(Path file) throws IOException {
    Kubeconfig.write(file, url(), pki);
  }

  @Override
  public void close() {
    server.close();
  }
}
