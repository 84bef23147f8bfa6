package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SchedulingWarningsTest {
  @Test
  void deprecatedLabelsOfNodesAreNamedWithTheirSuccessors() {
    assertThat(
            PodTemplates.warnings(
                "nodeSelector: {beta.kubernetes.io/os: linux, a: b}",
                "affinity:",
                "  nodeAffinity:",
                "    requiredDuringSchedulingIgnoredDuringExecution:",
                "      nodeSelectorTerms:",
                "      - matchExpressions: [{key: beta.kubernetes.io/arch, operator: Exists}]",
                "topologySpreadConstraints:",
                "- topologyKey: failure-domain.beta.kubernetes.io/zone",
                "  labelSelector: {}"))
        .containsExactly(
            "spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use"
                + " \"kubernetes.io/os\" instead",
            "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"
                + ".nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/arch is"
                + " deprecated since v1.14; use \"kubernetes.io/arch\" instead",
            "spec.topologySpreadConstraints[0].topologyKey: failure-domain.beta.kubernetes.io/zone"
                + " is deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead");
  }

  @Test
  void valuesOfPreferredTermsShouldBeValuesOfLabels() {
    assertThat(
            PodTemplates.warnings(
                "affinity:",
                "  nodeAffinity:",
                "    preferredDuringSchedulingIgnoredDuringExecution:",
                "    - preference:",
                "        matchExpressions: [{key: a, operator: In, values: [good, bad value!]}]"))
        .singleElement()
        .asString()
        .startsWith(
            "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]"
                + ".preference.matchExpressions[0].values[1]: bad value! is invalid, a valid label"
                + " must be");
  }

  @Test
  void aSelectorThatIsNotThereSelectsNothing() {
    assertThat(
            PodTemplates.warnings(
                "topologySpreadConstraints: [{topologyKey: a}, {labelSelector: {}}]",
                "affinity:",
                "  podAffinity:",
                "    requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: a}]",
                "  podAntiAffinity:",
                "    preferredDuringSchedulingIgnoredDuringExecution:",
                "    - podAffinityTerm: {topologyKey: a}"))
        .containsExactly(
            "spec.topologySpreadConstraints[0]" + NULL,
            "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]" + NULL,
            "spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]"
                + ".podAffinityTerm"
                + NULL);
  }

  private static final String NULL =
      ".labelSelector: a null labelSelector results in matching no pod";
}
