package dev.stint.apiserver.http.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.catalogue.TestCatalogue;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.QueryParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebSocketUpgradeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "v5.channel.k8s.io | v5.channel.k8s.io",
        "v4.channel.k8s.io, v5.channel.k8s.io | v5.channel.k8s.io",
        "base64.channel.k8s.io,channel.k8s.io | base64.channel.k8s.io",
        "v9.channel.k8s.io, v4.base64.channel.k8s.io | v4.base64.channel.k8s.io",
        "'' | ''",
      })
  void theFavouriteIsTakenOrElseTheFirstOfTheClients(String offered, String taken) {
    assertThat(WebSocketUpgrade.protocol(offering(offered), ChannelProtocol.names()))
        .isEqualTo(taken);
  }

  @Test
  void aClientThatOffersOnlyWhatIsNotKnownIsRefused() {
    assertThatThrownBy(
            () -> WebSocketUpgrade.protocol(offering("v9.channel.k8s.io"), ChannelProtocol.names()))
        .hasMessageContaining("v9.channel.k8s.io");
  }

  private static Call offering(String protocols) {
    return new Call(
        TestCatalogue.BUILT_IN,
        "GET",
        "/",
        QueryParameters.of(null),
        name -> name.equals("Sec-WebSocket-Protocol") ? protocols : null,
        () -> new byte[0]);
  }
}
