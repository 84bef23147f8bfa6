package dev.stint.apiserver.table;

import static dev.stint.apiserver.table.Given.NOW;
import static dev.stint.apiserver.table.Given.cells;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.catalogue.TestCatalogue;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class TablesTest {
  /** As recorded: conformance/conversation.json, tables of jobs, pods and cron jobs. */
  @Test
  void hasTheReferencesColumns() {
    assertThat(Given.columns(Kind.JOB))
        .containsExactly(
            "Name:string:0",
            "Status:string:0",
            "Completions:string:0",
            "Duration:string:0",
            "Age:string:0",
            "Containers:string:1",
            "Images:string:1",
            "Selector:string:1");
    assertThat(Given.columns(Kind.POD))
        .containsExactly(
            "Name:string:0",
            "Ready:string:0",
            "Status:string:0",
            "Restarts:string:0",
            "Age:string:0",
            "IP:string:1",
            "Node:string:1",
            "Nominated Node:string:1",
            "Readiness Gates:string:1");
    assertThat(Given.columns(Kind.CRON_JOB))
        .containsExactly(
            "Name:string:0",
            "Schedule:string:0",
            "Timezone:string:0",
            "Suspend:boolean:0",
            "Active:integer:0",
            "Last Schedule:string:0",
            "Age:string:0",
            "Containers:string:1",
            "Images:string:1",
            "Selector:string:1");
    assertThat(Given.columns(Kind.ROLE)).containsExactly("Name:string:0", "Created At:date:0");
  }

  @Test
  void describesEveryColumnOfEveryKind() {
    for (Kind kind : TestCatalogue.BUILT_IN.storedKinds()) {
      for (JsonNode column : Given.table(kind, "{}").get("columnDefinitions")) {
        assertThat(column.get("description").stringValue()).as("%s %s", kind, column).isNotBlank();
      }
    }
  }

  @Test
  void showsACronJob() {
    assertThat(
            cells(
                Kind.CRON_JOB,
                """
                {"spec": {"schedule": "*/5 * * * *", "suspend": true, "jobTemplate": {"spec":
                  {"template": {"spec": {"containers": [{"name": "main", "image": "busybox"}]}}}}}}
                """))
        .containsExactly(
            "a", "*/5 * * * *", "<none>", "True", "0", "<none>", "5s", "main", "busybox", "<none>");
    assertThat(
            cells(
                Kind.CRON_JOB,
                """
                {"spec": {"schedule": "@daily", "timeZone": "Etc/UTC"},
                 "status": {"active": [{}, {}], "lastScheduleTime": "2026-01-01T11:00:00Z"}}
                """))
        .startsWith("a", "@daily", "Etc/UTC", "<unset>", "2", "60m", "5s");
  }

  @Test
  void showsEvents() {
    assertThat(
            cells(
                Kind.EVENT,
                """
                {"type": "Normal", "reason": "Completed", "message": "Job completed\\n", "count": 3,
                 "involvedObject": {"kind": "Job", "name": "pi", "fieldPath": "spec"},
                 "source": {"component": "job-controller", "host": "n1"},
                 "firstTimestamp": "2026-01-01T11:00:00Z", "lastTimestamp": "2026-01-01T11:59:00Z"}
                """))
        .containsExactly(
            "60s",
            "Normal",
            "Completed",
            "job/pi",
            "spec",
            "job-controller, n1",
            "Job completed",
            "60m",
            "3",
            "a");
    assertThat(
            cells(
                Kind.EVENT,
                """
                {"eventTime": "2026-01-01T11:58:00.000000Z", "reportingComponent": "x",
                 "series": {"count": 4, "lastObservedTime": "2026-01-01T11:59:58.000000Z"}}
                """))
        .containsExactly("2s", "", "", "", "", "x", "", "2m", "4", "a");
  }

  @Test
  void showsNodes() {
    assertThat(
            cells(
                Kind.NODE,
                """
                {"metadata": {"labels": {"node-role.kubernetes.io/worker": ""}},
                 "spec": {"unschedulable": true},
                 "status": {"conditions": [{"type": "Ready", "status": "True"}],
                   "addresses": [{"type": "InternalIP", "address": "10.0.0.1"}],
                   "nodeInfo": {"kubeletVersion": "v1.36.0", "osImage": "Linux"}}}
                """))
        .containsExactly(
            "a",
            "Ready,SchedulingDisabled",
            "worker",
            "5s",
            "v1.36.0",
            "10.0.0.1",
            "<none>",
            "Linux",
            "<unknown>",
            "<unknown>");
  }

  @Test
  void showsBindingsWithTheirSubjects() {
    assertThat(
            cells(
                Kind.ROLE_BINDING,
                """
                {"roleRef": {"kind": "Role", "name": "r"}, "subjects": [
                  {"kind": "User", "name": "u"}, {"kind": "User", "name": "v"},
                  {"kind": "Group", "name": "g"},
                  {"kind": "ServiceAccount", "name": "s", "namespace": "n"}]}
                """))
        .containsExactly("a", "Role/r", "5s", "u, v", "g", "n/s");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "v1|Namespace|{'status': {'phase': 'Active'}}|a Active 5s",
        "v1|ConfigMap|{'data': {'k': 'v'}, 'binaryData': {'b': ''}}|a 2 5s",
        "v1|Secret|{'type': 'Opaque', 'data': {'k': 'v'}}|a Opaque 1 5s",
        "v1|ServiceAccount|{}|a 5s",
        "coordination.k8s.io/v1|Lease|{'spec': {'holderIdentity': 'me'}}|a me 5s",
        "scheduling.k8s.io/v1|PriorityClass|{'value': 9, 'preemptionPolicy': 'Never'}"
            + "|a 9 false 5s Never",
        "v1|LimitRange|{}|a 2026-01-01T11:59:55Z",
        "v1|ResourceQuota|{'status': {'hard': {'requests.cpu': '1', 'limits.cpu': '2', 'pods': '3'},"
            + " 'used': {'requests.cpu': '500m', 'limits.cpu': '1'}}}"
            + "|a pods: 0/3, requests.cpu: 500m/1 limits.cpu: 1/2 5s",
        "flowcontrol.apiserver.k8s.io/v1|FlowSchema|{'spec': {'matchingPrecedence': 9,"
            + " 'priorityLevelConfiguration': {'name': 'system'}, 'distinguisherMethod': {'type':"
            + " 'ByUser'}}, 'status': {'conditions': [{'type': 'Dangling', 'status': 'False'}]}}"
            + "|a system 9 ByUser 5s False",
        "flowcontrol.apiserver.k8s.io/v1|FlowSchema|{}|a  0 <none> 5s ?",
        "flowcontrol.apiserver.k8s.io/v1|PriorityLevelConfiguration|{'spec': {'type': 'Limited',"
            + " 'limited': {'nominalConcurrencyShares': 30, 'limitResponse': {'queuing': {"
            + "'queues': 64, 'handSize': 6, 'queueLengthLimit': 50}}}}}|a Limited 30 64 6 50 5s",
        "flowcontrol.apiserver.k8s.io/v1|PriorityLevelConfiguration|{'spec': {'type': 'Exempt'}}"
            + "|a Exempt <none> <none> <none> <none> 5s",
        "rbac.authorization.k8s.io/v1|Role|{}|a 2026-01-01T11:59:55Z",
      },
      quoteCharacter = '"')
  void showsTheOtherKinds(String apiVersion, String kind, String rest, String cells) {
    assertThat(
            String.join(
                " ", cells(Kind.of(apiVersion, kind).orElseThrow(), rest.replace('\'', '"'))))
        .isEqualTo(cells);
  }

  @Test
  void carriesAsMuchOfTheObjectAsAskedFor() {
    KubeObject pod = Given.object(Kind.POD, "{\"spec\": {\"nodeName\": \"n\"}}");

    JsonNode bare =
        Tables.of(Columns.PODS, pod, NOW, IncludeObject.parse("None")).get("rows").get(0);
    JsonNode partial =
        Tables.of(Columns.PODS, pod, NOW, IncludeObject.parse(null)).get("rows").get(0);
    JsonNode full =
        Tables.of(Columns.PODS, pod, NOW, IncludeObject.parse("Object")).get("rows").get(0);

    assertThat(bare.has("object")).isFalse();
    assertThat(partial.get("object").get("kind").stringValue()).isEqualTo("PartialObjectMetadata");
    assertThat(partial.get("object").has("spec")).isFalse();
    assertThat(full.get("object")).isEqualTo(pod.tree());
    assertThatThrownBy(() -> IncludeObject.parse("All")).isInstanceOf(ClusterException.class);
  }

  @Test
  void showsAnObjectOfEveryKindThatSaysNothing() {
    for (Kind kind : TestCatalogue.BUILT_IN.storedKinds()) {
      ObjectNode bare = Json.object().put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
      bare.putObject("metadata").put("resourceVersion", "9");
      ObjectNode table =
          Tables.of(Given.columnsOf(kind), KubeObject.of(bare), NOW, IncludeObject.METADATA);
      assertThat(table.get("rows")).as("%s", kind).hasSize(1);
    }
  }

  @Test
  void keepsTheListsMetadata() {
    ObjectNode metadata = Tables.metadata("9").put("continue", "next");

    ObjectNode table = Tables.of(Columns.JOBS, List.of(), metadata, NOW, IncludeObject.NONE);

    assertThat(table.get("metadata")).isEqualTo(metadata);
    assertThat(table.get("rows")).isEmpty();
    assertThat(table.get("kind").stringValue()).isEqualTo("Table");
    assertThat(table.get("apiVersion").stringValue()).isEqualTo("meta.k8s.io/v1");
  }

  @Test
  void leavesTheColumnsOutOnceAWatcherKnowsThem() {
    ObjectNode table =
        Tables.withoutColumns(
            Columns.JOBS, Given.object(Kind.JOB, "{}"), NOW, IncludeObject.METADATA);

    assertThat(table.get("columnDefinitions").isNull()).isTrue();
    assertThat(table.get("rows")).hasSize(1);
    assertThat(table.get("metadata").get("resourceVersion").stringValue()).isEqualTo("7");
  }

  @Test
  void cutsObjectsDownToTheirMetadata() {
    KubeObject job = Given.object(Kind.JOB, "{\"spec\": {}}");

    ObjectNode list = PartialObjectMetadata.list(List.of(job), Tables.metadata("9"));

    assertThat(PartialObjectMetadata.of(job))
        .isEqualTo(
            Json.parse(
                """
                {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata":
                  {"name": "a", "creationTimestamp": "2026-01-01T11:59:55Z", "resourceVersion": "7"}}
                """));
    assertThat(list.get("kind").stringValue()).isEqualTo("PartialObjectMetadataList");
    assertThat(list.get("items").get(0)).isEqualTo(PartialObjectMetadata.of(job));
  }
}
