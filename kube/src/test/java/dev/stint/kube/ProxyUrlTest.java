package dev.stint.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyUrlTest {
  private static final Path FILE = Path.of("config");

  @ParameterizedTest
  @CsvSource({
    "http://proxy, http://proxy:80",
    "HTTP://u:p@proxy:3128/, http://u:p@proxy:3128",
    "socks5://proxy, socks5://proxy:1080",
    "socks5h://[fd00::1]:9, socks5://[fd00::1]:9"
  })
  void aUrlMayLackItsPort(String url, String usable) {
    assertThat(ProxyUrl.usable(FILE, url)).isEqualTo(usable);
  }

  @ParameterizedTest
  @CsvSource({
    "https://proxy, 'config: proxy-url \"https://proxy\": it must begin with http:// or socks5://'",
    "socks5://u:secret@p, 'config: proxy-url \"socks5://p\": a SOCKS proxy with a password is not supported'",
    "proxy:3128, 'config: proxy-url \"proxy:3128\": it names no host, such as http://proxy:3128'"
  })
  void aProxyThatCannotBeUsedIsNamedWithoutItsPassword(String url, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProxyUrl.usable(FILE, url))
        .withMessage(message);
  }
}
