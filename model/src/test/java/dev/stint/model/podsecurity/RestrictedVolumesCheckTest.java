package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Types of volumes. */
class RestrictedVolumesCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "| {'volumes':[{'name':'configmap','configMap':{}},{'name':'csi','csi':{}},{'name':'downwardapi','downwardAPI':{}},{'name':'emptydir','emptyDir':{}},{'name':'ephemeral','ephemeral':{}},{'name':'image','image':{}},{'name':'persistentvolumeclaim','persistentVolumeClaim':{}},{'name':'projected','projected':{}},{'name':'secret','secret':{}}]} |",
        "| {'volumes':[{'name':'a','hostPath':{}}]} | restricted volume types (volume \"a\" uses restricted volume type \"hostPath\")",
        "| {'volumes':[{'name':'a','hostPath':{}},{'name':'b','hostPath':{}}]} | restricted volume types (volumes \"a\", \"b\" use restricted volume type \"hostPath\")",
        "v1.0 | {'volumes':[{'name':'a','nfs':{}},{'name':'c','hostPath':{}},{'name':'e'}]} | restricted volume types (volumes \"a\", \"c\", \"e\" use restricted volume types \"hostPath\", \"nfs\", \"unknown\")",
      })
  void check(@Nullable String version, String spec, @Nullable String expected) {
    assertThat(PodTexts.violations(RestrictedVolumesCheck.CHECK, version, PodTexts.pod(spec)))
        .isEqualTo(expected == null ? "" : expected);
  }
}
