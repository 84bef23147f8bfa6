package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldError;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** The valid changes of a pod; a row without a fault is accepted. */
class PodUpdateValidationTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "containers: [{name: a, image: b}] | containers: [{name: a, image: c}] |",
        "containers: [{name: a, image: b}] | containers: [{name: a, image: b, tty: true}] | spec"
            + " Forbidden",
        "containers: [{name: a, image: 'b:1'}] | containers: [{name: a, image: ''}] |"
            + " spec.containers[0].image Required",
        "containers: [{name: a, image: b}] | containers: [{name: a, image: b}, {name: c, image:"
            + " d}] | spec.containers Forbidden",
        "hostname: a | hostname: b | spec Forbidden",
        "hostname: a | nodeName: n | spec Forbidden",
        "hostname: a | {hostname: a, overhead: {}} |",
        "hostname: a | {hostname: a, securityContext: {supplementalGroups: []}} |",
        "hostname: a | {hostname: a, resources: {claims: []}} | spec.resources.claims Forbidden,"
            + " spec Forbidden",
        "activeDeadlineSeconds: 9 | activeDeadlineSeconds: 8 |",
        "hostname: a | {hostname: a, activeDeadlineSeconds: 8} |",
        "activeDeadlineSeconds: 8 | activeDeadlineSeconds: 9 | spec.activeDeadlineSeconds Invalid",
        "activeDeadlineSeconds: 8 | {} | spec.activeDeadlineSeconds Invalid",
        "tolerations: [{key: a}] | tolerations: [{key: b}, {key: a}] |",
        "tolerations: [{key: a, effect: NoExecute}] | tolerations: [{key: a, effect: NoExecute,"
            + " tolerationSeconds: 3}] |",
        "tolerations: [{key: a}] | tolerations: [{key: b}] | spec.tolerations Forbidden",
        "terminationGracePeriodSeconds: -1 | terminationGracePeriodSeconds: 1 |",
        "terminationGracePeriodSeconds: 5 | terminationGracePeriodSeconds: 1 | spec Forbidden",
        "schedulingGates: [{name: a}, {name: b}] | schedulingGates: [{name: b}] |",
        "schedulingGates: [{name: a}] | schedulingGates: [{name: b}] |"
            + " spec.schedulingGates[0].name Forbidden",
        "activeDeadlineSeconds: 8 | {activeDeadlineSeconds: 9, hostname: b} |"
            + " spec.activeDeadlineSeconds Invalid",
        "schedulingGates: [{name: a}] | {schedulingGates: [{name: a}], nodeSelector: {d: s}} |",
        "nodeSelector: {d: s} | nodeSelector: {d: s, e: f} | spec Forbidden",
        "restartPolicy: Never | restartPolicy: Often | spec.restartPolicy NotSupported,"
            + " spec Forbidden"
      })
  void changesOfTheSpecification(String before, String after, @Nullable String fault) {
    List<FieldError> faults = PodUpdateValidation.update(pod(before), pod(after));
    assertThat(faults)
        .extracting(f -> f.path() + " " + f.type().cause().replace("FieldValue", ""))
        .isEqualTo(fault == null ? List.of() : List.of(fault.split(", ")));
  }

  private static ObjectNode pod(String members) {
    String flow = members.startsWith("{") ? members : "{" + members + "}";
    String text =
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: default, resourceVersion: '1'}\n"
            + "spec: "
            + flow;
    ObjectNode pod =
        Documents.read("test", text.getBytes(StandardCharsets.UTF_8)).getFirst().object().copy();
    ObjectNode spec = (ObjectNode) pod.get("spec");
    if (!spec.hasNonNull("containers")) {
      spec.putArray("containers").addObject().put("name", "a").put("image", "b");
    }
    PodDefaults.applyToPod(pod);
    return pod;
  }
}
