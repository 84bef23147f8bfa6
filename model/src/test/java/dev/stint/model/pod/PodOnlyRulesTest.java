package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class PodOnlyRulesTest {
  private static final String MAIN = "containers: [{name: main, image: busybox}]\n  ";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "volumes: [{name: v, image: {reference: busybox}}] |",
        "volumes: [{name: v, image: {}}] | spec.volumes[0].image.reference Required",
        "initContainers: [{name: i, image: ' b'}] | spec.initContainers[0].image Invalid",
        "ephemeralContainers: [{name: e, image: b}] | spec.ephemeralContainers Forbidden",
        "schedulingGates: [{name: a/b}] |",
        "schedulingGates: [{name: a/b}];nodeName: here | spec.nodeName Forbidden",
        "volumes: [{name: t, projected: {sources: [{serviceAccountToken: {path: t}}]}}] | spec.volumes[0].projected.sources[0].serviceAccountToken Forbidden",
        "serviceAccountName: s;volumes: [{name: t, projected: {sources: [{serviceAccountToken: {path: t}}]}}] |",
        "resources: {requests: {cpu: 1}} |",
        "resources: {claims: [{name: c}]};resourceClaims: [{name: c, resourceClaimName: d}] | spec.resources.claims Forbidden",
        "volumes: [{name: v, emptyDir: {}, image: {}}] | spec.volumes[0].image Forbidden",
      })
  void aPodIsHeldToMoreThanATemplate(String line, @Nullable String fault) {
    ObjectNode pod =
        PodTemplates.read(MAIN + "restartPolicy: Never\n  " + line.replace(";", "\n  "));
    PodDefaults.applyToPod(pod);
    assertThat(faults(pod)).isEqualTo(fault == null ? List.of() : List.of(fault));
  }

  @Test
  void theNameOfAClaimIsThatOfThePodAndTheVolume() {
    ObjectNode pod =
        PodTemplates.read(
            MAIN
                + "volumes: [{name: v, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1}}}}}}]");
    PodDefaults.applyToPod(pod);
    assertThat(faults(pod)).isEmpty();
    FieldErrors faults = new FieldErrors();
    PodSpecRules.check(FieldPath.root(pod).get("spec"), "a".repeat(252), faults);
    assertThat(faults.list())
        .singleElement()
        .satisfies(fault -> assertThat(fault.path()).isEqualTo("spec.volumes[0].name"));
  }

  private static List<String> faults(ObjectNode pod) {
    FieldErrors faults = new FieldErrors();
    PodSpecRules.check(FieldPath.root(pod).get("spec"), "p", faults);
    PodOnlyRules.create(FieldPath.root(pod).get("spec"), faults);
    return faults.list().stream()
        .map(fault -> fault.path() + " " + fault.type().cause().replace("FieldValue", ""))
        .toList();
  }
}
