package dev.stint.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CallersLocaleTest {
  @Test
  void theLocaleThatTheLauncherHasReplacedIsTheCallers() {
    assertThat(CallersLocale.in(Map.of("LC_ALL", "C.UTF-8", "STINT_LC_ALL", "C", "LANG", "de_DE")))
        .isEqualTo(Map.of("LC_ALL", "C", "LANG", "de_DE"));
    assertThat(CallersLocale.in(Map.of("LC_ALL", "C.UTF-8", "STINT_LC_ALL", ""))).isEmpty();
  }

  @Test
  void anyOtherEnvironmentIsTheCallers() {
    Map<String, String> own = Map.of("LC_ALL", "de_DE.UTF-8");
    assertThat(CallersLocale.in(own)).isEqualTo(own);
  }
}
