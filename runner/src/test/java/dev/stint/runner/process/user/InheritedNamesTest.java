package dev.stint.runner.process.user;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InheritedNamesTest {
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "PATH", "/bin",
          "LC_ALL", "C",
          "AWS_PROFILE", "mine",
          "AWS_REGION", "here",
          "LD_PRELOAD", "/x.so",
          "STINT_TOKEN", "secret",
          "NOTIFY_SOCKET", "/run/x");

  @Test
  void fewVariablesAreInheritedUnlessMoreAreNamed() {
    assertThat(InheritedNames.FEW.of(ENVIRONMENT)).containsOnlyKeys("PATH", "LC_ALL");
    assertThat(InheritedNames.fewAnd(List.of("AWS_*")).of(ENVIRONMENT))
        .containsOnlyKeys("PATH", "LC_ALL", "AWS_PROFILE", "AWS_REGION");
    assertThat(InheritedNames.fewAnd(List.of("AWS_REGION")).of(ENVIRONMENT))
        .containsOnlyKeys("PATH", "LC_ALL", "AWS_REGION");
  }

  @Test
  void stintsOwnVariablesAreNeverInherited() {
    assertThat(InheritedNames.ALL.of(ENVIRONMENT))
        .containsOnlyKeys("PATH", "LC_ALL", "AWS_PROFILE", "AWS_REGION", "LD_PRELOAD");
    assertThat(InheritedNames.fewAnd(List.of("STINT_TOKEN")).of(ENVIRONMENT))
        .doesNotContainKey("STINT_TOKEN");
    assertThat(InheritedEnvironment.of(ENVIRONMENT).plain())
        .doesNotContainKeys("STINT_TOKEN", "NOTIFY_SOCKET");
  }

  @Test
  void onlyTheAsteriskIsSpecial() {
    assertThat(InheritedNames.fewAnd(List.of("A.S", "[A]*")).of(ENVIRONMENT))
        .containsOnlyKeys("PATH", "LC_ALL");
  }
}
