package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldError;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** The valid status writes of a pod; a row without a fault is accepted. */
class PodStatusValidationTest {
  private static final String ENDED =
      "containerStatuses: [{name: a, state: {terminated: {exitCode: 1}}}]";
  private static final String RUNNING = "containerStatuses: [{name: a, state: {running: {}}}]";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"Never | status.containerStatuses[0].state Forbidden", "OnFailure |", "Always |"})
  void anEndForGoodStays(String restartPolicy, @Nullable String fault) {
    check(restartPolicy, ENDED, RUNNING, fault);
    check(restartPolicy, RUNNING, ENDED, null);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "phase: Running |",
        "nominatedNodeName: Bad Name | status.nominatedNodeName Invalid",
        "conditions: [{type: x.io/y, status: 'True'}] |",
        "conditions: [{type: bad type, status: 'True'}] | status.conditions[0].Type Invalid",
        "podIPs: [{ip: 10.0.0.1}] |",
        "podIPs: [{ip: nope}] | status.podIPs[0] Invalid",
        "podIPs: [{ip: 10.0.0.1}, {ip: 10.0.0.1}] | status.podIPs[1] Duplicate, status.podIPs"
            + " Invalid",
        "podIPs: [{ip: 10.0.0.1}, {ip: '::1'}] |",
        "podIPs: [{ip: 10.0.0.1}, {ip: '::1'}, {ip: '::2'}] | status.podIPs Invalid",
        "podIPs: [{ip: 10.0.0.1}, {ip: x}] | status.podIPs[1] Invalid, status.podIPs InternalError,"
            + " status.podIPs Invalid",
        "{hostIP: 10.0.0.1, hostIPs: [{ip: 10.0.0.1}]} |",
        "{hostIP: 10.0.0.2, hostIPs: [{ip: 10.0.0.1}]} | status.hostIPs[0].ip Invalid",
        "observedGeneration: -1 | status.observedGeneration Invalid",
        "conditions: [{type: a, observedGeneration: -1}] | status.conditions[0].observedGeneration"
            + " Invalid",
        "initContainerStatuses: [{name: i, user: {linux: {uid: -1, gid: 0}}}] |"
            + " status.initContainerStatuses[0].user.linux.uid Invalid",
        "resourceClaimStatuses: [{name: none, resourceClaimName: x}] |"
            + " status.resourceClaimStatuses[0].name Invalid",
        "extendedResourceClaimStatus: {} | status.extendedResourceClaimStatus.requestMappings"
            + " Required, status.extendedResourceClaimStatus.resourceClaimName Required"
      })
  void whatNamesSomethingIsWellFormed(String status, @Nullable String fault) {
    check("Never", "phase: Pending", status, fault);
  }

  @Test
  void aNodeIsNominatedForPodsThatHaveNone() {
    ObjectNode before = pod("Never", "phase: Pending");
    ObjectNode after = pod("Never", "nominatedNodeName: node");
    assertThat(PodStatusValidation.update(before, after)).isEmpty();
    for (ObjectNode pod : List.of(before, after)) {
      pod.withObjectProperty("spec").put("nodeName", "m");
    }
    assertThat(PodStatusValidation.update(before, after))
        .extracting(FieldError::path)
        .containsExactly("status.nominatedNodeName");
    assertThat(PodStatusValidation.update(after, after)).isEmpty();
  }

  private static void check(
      String restartPolicy, String before, String after, @Nullable String fault) {
    List<FieldError> faults =
        PodStatusValidation.update(pod(restartPolicy, before), pod(restartPolicy, after));
    assertThat(faults)
        .extracting(f -> f.path() + " " + f.type().cause().replace("FieldValue", ""))
        .isEqualTo(fault == null ? List.of() : List.of(fault.split(", ")));
  }

  private static ObjectNode pod(String restartPolicy, String status) {
    String text =
        "apiVersion: v1\nkind: Pod\nspec: {restartPolicy: "
            + restartPolicy
            + ", containers: [{name: a, image: b}]}\nstatus: "
            + (status.startsWith("{") ? status : "{" + status + "}");
    return Documents.read("test", text.getBytes(StandardCharsets.UTF_8)).getFirst().object().copy();
  }
}
