package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FileOverlapWarningsTest {
  @Test
  void filesOfOneSourceShareOneWarning() {
    assertThat(
            PodTemplates.warnings(
                "volumes:",
                "- name: v",
                "  secret:",
                "    secretName: s",
                "    items: [{path: a}, {path: a/b}, {path: ab}, {path: a/}]"))
        .containsExactly(
            "volume \"v\" (Secret \"s\"): overlapping paths: \"a/b\" with \"a\", \"a\" with \"a\","
                + " \"a\" with \"a/b\"");
  }

  @Test
  void filesOfProjectedSourcesAreNamedWithTheirSources() {
    assertThat(
            PodTemplates.warnings(
                "volumes:",
                "- name: v",
                "  projected:",
                "    sources:",
                "    - configMap: {name: c, items: [{path: p}]}",
                "    - serviceAccountToken: {path: p}",
                "    - downwardAPI: {items: [{path: q}]}",
                "    - clusterTrustBundle: {signerName: s, path: q/r}",
                "    - podCertificate: {keyPath: k}"))
        .containsExactly(
            "volume \"v\" (Projected): overlapping paths: \"p\" (ServiceAccountToken) with \"p\""
                + " (ConfigMap \"c\")",
            "volume \"v\" (Projected): overlapping paths: \"q/r\" (ClusterTrustBundle \"s\") with"
                + " \"q\" (DownwardAPI)");
  }

  @Test
  void aSourceThatSaysNothingIsNamed() {
    assertThat(PodTemplates.warnings("volumes: [{name: v, projected: {sources: [{}]}}]"))
        .containsExactly("volume \"v\" (Projected) has no sources provided");
  }
}
