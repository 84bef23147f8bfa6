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
  void anEmptySourceIsReported() {
    assertThat(PodTemplates.warnings("volumes: [{name: v, projected: {sources: [{}]}}]"))
        .containsExactly("volume \"v\" (Projected) has no sources provided");
  }

  @Test
  void overlappingFilesAreReportedInTheirOrder() {
    assertThat(
            PodTemplates.warnings(
                "volumes:",
                "- name: v",
                "  secret:",
                "    secretName: s",
                "    items: [{path: a/b/c}, {path: a-b}, {path: a}, {path: ''}, {path: a/b}]"))
        .containsExactly(
            "volume \"v\" (Secret \"s\"): overlapping paths: \"a\" with \"a/b/c\", \"a/b\" with"
                + " \"a/b/c\", \"a/b\" with \"a\"");
  }

  @Test
  void noMoreOverlapsAreCollectedThanReported() {
    String items = "items: [" + "{path: p},".repeat(20_000) + "]";
    assertThat(
            PodTemplates.warnings(
                "volumes: [{name: v, projected: {sources: [{configMap: {name: c, "
                    + items
                    + "}}]}}]"))
        .hasSize(4096)
        .containsOnly(
            "volume \"v\" (Projected): overlapping paths: \"p\" (ConfigMap \"c\") with \"p\""
                + " (ConfigMap \"c\")");
    assertThat(
            PodTemplates.warnings("volumes: [{name: v, secret: {secretName: s, " + items + "}}]"))
        .singleElement()
        .satisfies(one -> assertThat(one.length()).isBetween(4096, 5000));
  }
}
