package dev.stint.apiserver.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class FieldSelectorTest {
  private static final ObjectNode POD =
      Json.parse(
          """
          {"metadata": {"name": "p", "namespace": "ns"},
           "spec": {"nodeName": "n1", "restartPolicy": "Never"},
           "status": {"phase": "Pending", "podIP": "10.0.0.1",
                      "podIPs": [{"ip": "10.0.0.1"}, {"ip": "fd00::1"}]}}
          """);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\" | true",
        "metadata.name=p | true",
        "metadata.name==p | true",
        "metadata.name!=p | false",
        "metadata.name!=q | true",
        "metadata.namespace=ns,spec.nodeName=n1 | true",
        "metadata.namespace=ns,spec.nodeName=n2 | false",
        "spec.nodeName=n1, | true",
        "spec.hostNetwork=false | true",
        "spec.schedulerName= | true",
        "spec.restartPolicy=Never,status.phase!=Running | true",
        "status.podIP=10.0.0.1 | true",
        "status.podIPs=10.0.0.1\\,fd00::1 | true",
        "status.nominatedNodeName!= | false",
      })
  void selectsPods(String selector, boolean matches) {
    assertThat(FieldSelector.parse(SelectableFields.PODS, selector).test(POD)).isEqualTo(matches);
  }

  @Test
  void countsAJobWithoutSuccessesAsZero() {
    FieldSelector none = FieldSelector.parse(SelectableFields.JOBS, "status.successful=0");

    assertThat(none.test(Json.parse("{\"status\": {}}"))).isTrue();
    assertThat(none.test(Json.parse("{\"status\": {\"succeeded\": 3}}"))).isFalse();
    assertThat(
            FieldSelector.parse(SelectableFields.JOBS, "status.successful=3")
                .test(Json.parse("{\"status\": {\"succeeded\": 3}}")))
        .isTrue();
  }

  @Test
  void selectsEventsByWhatTheyAreAboutAndWhoReported() {
    ObjectNode event =
        Json.parse(
            """
            {"involvedObject": {"kind": "Job", "name": "a", "uid": "u"}, "reason": "Completed",
             "type": "Normal", "reportingComponent": "job-controller", "source": {}}
            """);
    String selector =
        "involvedObject.kind=Job,involvedObject.name=a,involvedObject.uid=u,"
            + "involvedObject.namespace=,reason=Completed,type!=Warning,"
            + "source=job-controller,reportingComponent=job-controller";

    assertThat(FieldSelector.parse(SelectableFields.EVENTS, selector).test(event)).isTrue();
  }

  @Test
  void selectsEventsByTheNamesOfTheirOtherGroup() {
    ObjectNode event =
        Json.parse(
            """
            {"involvedObject": {"kind": "Job", "name": "a"}, "reason": "Completed", "type": "Normal",
             "reportingComponent": "job-controller"}
            """);
    String selector =
        "regarding.kind=Job,regarding.name=a,regarding.uid=,reason=Completed,type=Normal,"
            + "reportingController=job-controller";

    assertThat(FieldSelector.parse(SelectableFields.SHOWN_EVENTS, selector).test(event)).isTrue();
    assertThatThrownBy(
            () -> FieldSelector.parse(SelectableFields.SHOWN_EVENTS, "involvedObject.kind=Job"))
        .isInstanceOf(ClusterException.class);
    assertThatThrownBy(() -> FieldSelector.parse(SelectableFields.EVENTS, "regarding.kind=Job"))
        .isInstanceOf(ClusterException.class);
  }

  @Test
  void selectsNodesNamespacesAndSecrets() {
    assertThat(
            FieldSelector.parse(SelectableFields.NODES, "spec.unschedulable=true")
                .test(Json.parse("{\"spec\": {\"unschedulable\": true}}")))
        .isTrue();
    assertThat(
            FieldSelector.parse(SelectableFields.NAMESPACES, "name=x,status.phase=Active")
                .test(
                    Json.parse(
                        "{\"metadata\": {\"name\": \"x\"}, \"status\": {\"phase\": \"Active\"}}")))
        .isTrue();
    assertThat(
            FieldSelector.parse(SelectableFields.SECRETS, "type=Opaque")
                .test(Json.parse("{\"type\": \"Opaque\"}")))
        .isTrue();
  }

  @Test
  void readsEscapesInValues() {
    ObjectNode event = Json.parse("{\"reason\": \"a,b=c\\\\d\"}");

    assertThat(
            FieldSelector.parse(SelectableFields.EVENTS, "reason=a\\,b\\=c\\\\d,type=").test(event))
        .isTrue();
  }

  @Test
  void tellsTheOneNameThatItAsksFor() {
    FieldSelector pinned =
        FieldSelector.parse(SelectableFields.JOBS, "metadata.name=a,metadata.namespace=n");

    assertThat(pinned.pinnedName()).isEqualTo("a");
    assertThat(pinned.pinnedNamespace()).isEqualTo("n");
    assertThat(FieldSelector.parse(SelectableFields.JOBS, "metadata.name!=a").pinnedName())
        .isNull();
    assertThat(FieldSelector.parse(SelectableFields.JOBS, "").isEverything()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "metadata.name",
        "=a",
        "metadata.name=a=b",
        "metadata.name=\\a",
        "metadata.name=\\"
      })
  void refusesABrokenOneAsABadRequest(String selector) {
    assertThatThrownBy(() -> FieldSelector.parse(SelectableFields.JOBS, selector))
        .isInstanceOfSatisfying(
            ClusterException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BAD_REQUEST))
        .hasMessageStartingWith("unable to parse field selector \"" + selector + "\": ");
  }

  @Test
  void refusesAnUnknownFieldAndNamesTheKnownOnes() {
    assertThatThrownBy(() -> FieldSelector.parse(SelectableFields.JOBS, "spec.nope=a"))
        .isInstanceOfSatisfying(
            ClusterException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BAD_REQUEST))
        .hasMessage(
            "field label not supported: spec.nope; supported are metadata.name,"
                + " metadata.namespace, status.successful");
  }
}
