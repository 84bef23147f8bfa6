package dev.stint.apiserver.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.webhook.Connections.Server;
import java.net.http.HttpClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final Connections connections = new Connections(1);

  private Connections.Use use(String authority) throws Exception {
    return connections.use(new Server("", "", authority));
  }

  @Test
  void aServerKeepsItsConnections() throws Exception {
    HttpClient first;
    try (Connections.Use use = use("a:1")) {
      first = use.http();
    }
    try (Connections.Use again = use("a:1")) {
      assertThat(again.http()).isSameAs(first);
    }
  }

  @Test
  void theThreadOfReplacedConnectionsEndsOnceNobodyUsesThem() throws Exception {
    Connections.Use first = use("a:1");
    try (Connections.Use _ = use("b:1")) {
      assertThat(first.http().isTerminated()).isFalse();
      first.close();
      assertThat(first.http().awaitTermination(LONG)).isTrue();
    }
    try (Connections.Use again = use("a:1")) {
      assertThat(again.http()).isNotSameAs(first.http());
    }
  }
}
