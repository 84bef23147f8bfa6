package dev.stint.kube.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerAddressTest {
  @ParameterizedTest
  @CsvSource({
    "https://api.example, api.example:443, api.example, /",
    "https://api.example:6443/, api.example:6443, api.example:6443, /",
    "http://api.example:80/a%2Fb, api.example:80, api.example, /a%2Fb/",
    "https://[fd00::1]:6443/x/, [fd00::1]:6443, [fd00::1]:6443, /x/"
  })
  void anAddressIsReadFromAUrl(String url, String authority, String hostHeader, String path) {
    ServerAddress address = ServerAddress.of(url);
    assertThat(address.authority()).isEqualTo(authority);
    assertThat(address.hostHeader()).isEqualTo(hostHeader);
    assertThat(address.path()).isEqualTo(path);
  }

  @Test
  void aUrlWithoutAHostIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerAddress.of("https:///x"))
        .withMessage("\"https:///x\" names no host");
  }
}
