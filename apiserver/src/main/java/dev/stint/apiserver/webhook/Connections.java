package dev.stint.apiserver.webhook;

import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;

/**
 * The connections to the servers that were called last. Those to a server have a thread, so that
 * they are closed when others take their place, once nobody uses them any more.
 */
final class Connections {
  private static final int MOST_CALLS = 16;

  private final int most;
  private final SequencedMap<Server, Client> recent = new LinkedHashMap<>(16, 0.75f, true);

  /** A server, and how it proves that it is the right one. */
  record Server(String caBundle, String serverName, String authority) {
    static Server of(WebhookEndpoint endpoint) {
      return new Server(
          endpoint.caBundle(), endpoint.serverName(), endpoint.connect().getAuthority());
    }
  }

  /**
   * @param most servers
   */
  Connections(int most) {
    this.most = most;
  }

  /** The connections to a server, and the calls that may be under way. */
  private static final class Client {
    private final HttpClient http;
    private final Semaphore calls = new Semaphore(MOST_CALLS, true);
    private int users;
    private boolean replaced;

    Client(HttpClient http) {
      this.http = http;
    }
  }

  /** A use of connections, which stay open until it ends. */
  final class Use implements AutoCloseable {
    private final Client client;

    private Use(Client client) {
      this.client = client;
    }

    HttpClient http() {
      return client.http;
    }

    /** Limits the calls to the server. */
    Semaphore calls() {
      return client.calls;
    }

    @Override
    public void close() {
      synchronized (recent) {
        client.users--;
        closeIfUnused(client);
      }
    }
  }

  /** Returns connections to a server. */
  Use use(Server server) throws GeneralSecurityException {
    synchronized (recent) {
      Client client = recent.get(server);
      if (client == null) {
        client = new Client(http(server));
        recent.put(server, client);
      }
      client.users++;
      if (recent.size() > most) {
        Client eldest = recent.pollFirstEntry().getValue();
        eldest.replaced = true;
        closeIfUnused(eldest);
      }
      return new Use(client);
    }
  }

  private static void closeIfUnused(Client client) {
    if (client.replaced && client.users == 0) {
      client.http.shutdownNow();
    }
  }

  private static HttpClient http(Server server) throws GeneralSecurityException {
    SSLParameters tls = new SSLParameters();
    if (!server.serverName.isEmpty()) {
      tls.setServerNames(List.of(new SNIHostName(server.serverName)));
    }
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER)
        .proxy(HttpClient.Builder.NO_PROXY)
        .sslContext(CaBundle.context(server.caBundle))
        .sslParameters(tls)
        .executor(Executors.newVirtualThreadPerTaskExecutor())
        .build();
  }
}
