package dev.stint.kube.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class DialerTest {
  @Test
  void answersMayTakeLongerThanConnecting() throws Exception {
    try (ScriptedServer server = new ScriptedServer()) {
      Config config =
          new ConfigBuilder(Config.empty())
              .withMasterUrl(server.url())
              .withConnectionTimeout(5_000)
              .build();
      Dialer dialer = new Dialer(ConnectionSettings.of(config));
      try (Socket socket = dialer.socket()) {
        dialer.connect(socket);
        assertThat(socket.getSoTimeout()).isZero();
      }
    }
  }
}
