package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RepeatedEntryWarningsTest {
  @Test
  void entriesOfOneKeyAreNamedAndSoAreEmptySecrets() {
    assertThat(
            PodTemplates.warnings(
                "hostAliases: [{ip: 1.2.3.4}, {ip: 1.2.3.5}, {ip: 1.2.3.4}]",
                "imagePullSecrets: [{name: a}, {name: a}, {}]"))
        .containsExactly(
            "spec.hostAliases[2].ip: duplicate ip \"1.2.3.4\"",
            "spec.imagePullSecrets[1].name: duplicate name \"a\"",
            "spec.imagePullSecrets[2].name: invalid empty name \"\"");
  }
}
