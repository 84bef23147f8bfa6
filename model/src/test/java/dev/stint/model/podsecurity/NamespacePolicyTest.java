package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A namespace's labels, and the server's defaults without labels. */
class NamespacePolicyTest {
  private static final NamespacePolicy DEFAULTS =
      new NamespacePolicy(
          new LevelVersion(PodSecurityLevel.BASELINE, new PolicyVersion(30)),
          LevelVersion.PRIVILEGED,
          LevelVersion.PRIVILEGED);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "| baseline:v1.30 privileged:latest privileged:latest",
        "enforce=restricted | restricted:v1.30 privileged:latest privileged:latest",
        "enforce-version=v1.24 | baseline:v1.24 privileged:latest privileged:latest",
        "enforce=privileged | privileged:v1.30 privileged:latest privileged:latest",
        "warn=restricted,warn-version=latest | baseline:v1.30 privileged:latest restricted:latest",
        "audit=baseline,audit-version=v1.0 | baseline:v1.30 baseline:v1.0 privileged:latest",
        "enforce=x,audit=x,warn=x | restricted:v1.30 privileged:latest privileged:latest",
        "enforce-version=x | baseline:latest privileged:latest privileged:latest",
      })
  void labels(@Nullable String labels, String expected) {
    NamespacePolicy policy = NamespacePolicy.of(labels(labels), DEFAULTS);
    assertThat(policy.enforce() + " " + policy.audit() + " " + policy.warn()).isEqualTo(expected);
  }

  @Test
  void onlyLabelsBeyondThePrivilegedLevelAskForSomething() {
    NamespacePolicy.Labels labels =
        labels("enforce=baseline,audit=privileged,warn-version=v1.20,warn=restricted");
    assertThat(NamespacePolicy.of(labels, NamespacePolicy.PRIVILEGED).labelled(labels))
        .isEqualTo("enforce=baseline:latest, warn=restricted:v1.20");
    assertThat(DEFAULTS.labelled(labels(null))).isEmpty();
  }

  private static NamespacePolicy.Labels labels(@Nullable String text) {
    Map<String, String> labels =
        text == null
            ? Map.of()
            : Arrays.stream(text.split(",", -1))
                .map(label -> label.split("=", -1))
                .collect(
                    Collectors.toMap(pair -> "pod-security.kubernetes.io/" + pair[0], p -> p[1]));
    return labels::get;
  }
}
