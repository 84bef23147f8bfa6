package dev.stint.console.signin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.catalogue.ApiCatalogue;
import dev.stint.apiserver.http.Call;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OriginCheckTest {
  private static final Map<String, String> OURS =
      Map.of(
          "Host",
          "127.0.0.1:6443",
          "Origin",
          "https://127.0.0.1:6443",
          "Sec-Fetch-Site",
          "same-origin",
          "X-Stint-Console",
          "1",
          "Content-Type",
          "application/json");

  private static boolean refused(String method, String name, String value) {
    Map<String, String> headers = new HashMap<>(OURS);
    headers.put(name, value);
    return refused(method, headers);
  }

  private static boolean refused(String method, Map<String, String> headers) {
    return OriginCheck.refusal(
            Call.anonymous(
                ApiCatalogue.EMPTY,
                method,
                "/console/api/x",
                null,
                headers::get,
                () -> new byte[0]))
        .isPresent();
  }

  @Test
  void requestsOfOurOwnPagesAreAccepted() {
    assertThat(refused("GET", OURS)).isFalse();
    assertThat(refused("POST", OURS)).isFalse();
    assertThat(refused("POST", "Content-Type", "application/json; charset=utf-8")).isFalse();
  }

  @Test
  void requestsOfOtherPagesAndPortsAreRefused() {
    for (String site : new String[] {"cross-site", "same-site", "none"}) {
      assertThat(refused("POST", "Sec-Fetch-Site", site)).as(site).isTrue();
    }
    for (String origin :
        new String[] {"https://127.0.0.1:3000", "http://evil.example", "null", "://"}) {
      assertThat(refused("POST", "Origin", origin)).as(origin).isTrue();
    }
    assertThat(refused("GET", "Sec-Fetch-Site", "same-site")).isTrue();
    assertThat(refused("GET", "Sec-Fetch-Site", "cross-site")).isTrue();
  }

  @Test
  void requestsOfFormsAndLinksAreRefused() {
    assertThat(refused("POST", "X-Stint-Console", "")).isTrue();
    assertThat(refused("POST", "Content-Type", "text/plain")).isTrue();
    assertThat(
            refused(
                "POST",
                Map.of("Host", "h", "X-Stint-Console", "1", "Content-Type", "application/json")))
        .as("nothing tells where it comes from")
        .isTrue();
  }

  @Test
  void anOlderBrowserThatSendsOnlyOriginIsAccepted() {
    Map<String, String> older = new HashMap<>(OURS);
    older.remove("Sec-Fetch-Site");
    assertThat(refused("POST", older)).isFalse();
    assertThat(refused("GET", Map.of("Host", "h"))).isFalse();
  }
}
