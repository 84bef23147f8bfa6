package dev.stint.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Definitions that an extension names, found from the working directory. */
class CrdsOfExtensionTest {
  @RegisterExtension
  static final StintExtension STINT =
      StintExtension.create().perClass().withCrds("src/test/resources/crds/**/*.yaml");

  @Test
  void theControlPlaneStartsWithThem(Jobs jobs) {
    assertThat(
            jobs.applyAll(
                "{apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, spec: {}}"))
        .hasSize(1);
  }
}
