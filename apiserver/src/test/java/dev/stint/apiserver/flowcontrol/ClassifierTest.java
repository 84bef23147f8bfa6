package dev.stint.apiserver.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.access.User;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.flowcontrol.BuiltInFlowControl;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** The first schema that matches a request decides. */
class ClassifierTest {
  private final List<KubeObject> objects = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({
    "admin, system:masters, update, '', jobs, default, exempt",
    "jane, system:authenticated, list, '', pods, default, global-default",
    "system:anonymous, system:unauthenticated, list, '', pods, default, global-default",
    "system:node:a, system:nodes, update, '', nodes/status, '', system-node-high",
    "system:node:a, system:nodes, get, '', pods, default, system-nodes",
    "system:kube-scheduler, x, update, coordination.k8s.io, leases, kube-system,"
        + " system-leader-election",
    "system:kube-scheduler, x, list, '', pods, '', kube-scheduler",
    "system:kube-controller-manager, x, create, '', pods, a, kube-controller-manager",
    "system:serviceaccount:kube-system:x, system:serviceaccounts, get, '', pods, a,"
        + " kube-system-service-accounts",
    "system:serviceaccount:kube-system:x, system:serviceaccounts, get, coordination.k8s.io,"
        + " leases, a, workload-leader-election",
    "system:serviceaccount:a:x, system:serviceaccounts, create, batch, jobs, a, service-accounts",
    "nobody, x, get, '', pods, a, catch-all",
  })
  void builtInSchemasClassifyAsKubernetesDoes(
      String user,
      String group,
      String verb,
      String apiGroup,
      String resource,
      String namespace,
      String schema) {
    builtIn();
    String[] parts = resource.split("/", 2);
    assertThat(
            classifier()
                .schemaOf(
                    new RequestAttributes(
                        User.of(user, group),
                        verb,
                        apiGroup,
                        "v1",
                        parts[0],
                        parts.length > 1 ? parts[1] : "",
                        namespace,
                        "",
                        null))
                .name())
        .isEqualTo(schema);
  }

  @Test
  void probesAreExempt() {
    builtIn();
    User anonymous = User.ANONYMOUS;
    Classifier classifier = classifier();
    assertThat(classifier.schemaOf(RequestAttributes.ofPath(anonymous, "get", "/readyz")).name())
        .isEqualTo("probes");
    assertThat(classifier.schemaOf(RequestAttributes.ofPath(anonymous, "get", "/version")).name())
        .isEqualTo("global-default");
  }

  @Test
  void withoutStoredObjectsTheMandatoryOnesHold() {
    Classifier classifier = classifier();
    assertThat(classifier.schemaOf(pods("jane", "system:authenticated")).name())
        .isEqualTo("catch-all");
    assertThat(classifier.schemaOf(pods("admin", "system:masters")).level()).isEqualTo("exempt");
    assertThat(classifier.levels())
        .extracting(PriorityLevel::name)
        .containsExactly("exempt", "catch-all");
  }

  @Test
  void aSchemaWithoutItsLevelMatchesNothing() {
    builtIn();
    String rule =
        "'rules':[{'subjects':[{'kind':'User','user':{'name':'jane'}}],'resourceRules':[{"
            + "'verbs':['*'],'apiGroups':['*'],'resources':['pods'],'namespaces':['*']}]}]}";
    add(
        Kind.FLOW_SCHEMA,
        "mine",
        "{'matchingPrecedence':5,'priorityLevelConfiguration':{'name':'mine'}," + rule);
    assertThat(classifier().schemaOf(pods("jane", "x")).name()).isEqualTo("catch-all");

    add(Kind.PRIORITY_LEVEL, "mine", "{'type':'Limited','limited':{}}");
    FlowSchema schema = classifier().schemaOf(pods("jane", "x"));
    assertThat(schema.name()).isEqualTo("mine");
    assertThat(schema.uid()).isEqualTo("uid of mine");
  }

  @Test
  void ofEqualPrecedenceTheNameDecides() {
    String spec =
        "{'matchingPrecedence':5,'priorityLevelConfiguration':{'name':'catch-all'},'rules':[{"
            + "'subjects':[{'kind':'Group','group':{'name':'*'}}],'resourceRules':[{'verbs':['*'],"
            + "'apiGroups':['*'],'resources':['*'],'clusterScope':true,'namespaces':['*']}]}]}";
    add(Kind.FLOW_SCHEMA, "b", spec);
    add(Kind.FLOW_SCHEMA, "a", spec);
    assertThat(classifier().schemaOf(pods("jane", "x")).name()).isEqualTo("a");
  }

  @Test
  void flowsAreTheUsersOrNamespacesOfASchema() {
    builtIn();
    Classifier classifier = classifier();
    RequestAttributes request = pods("jane", "system:authenticated");
    assertThat(classifier.schemaOf(request).flowOf(request)).isEqualTo("jane");
    RequestAttributes scheduler = pods("system:kube-scheduler", "x");
    assertThat(classifier.schemaOf(scheduler).flowOf(scheduler)).isEqualTo("default");
    RequestAttributes admin = pods("admin", "system:masters");
    assertThat(classifier.schemaOf(admin).flowOf(admin)).isEmpty();
  }

  private static RequestAttributes pods(String user, String group) {
    return new RequestAttributes(
        User.of(user, group), "get", "", "v1", "pods", "", "default", "a", null);
  }

  private void builtIn() {
    for (Kind kind : BuiltInFlowControl.kinds()) {
      for (String name : BuiltInFlowControl.names(kind)) {
        add(kind, name, String.valueOf(BuiltInFlowControl.spec(kind, name)));
      }
    }
  }

  private void add(Kind kind, String name, String spec) {
    ObjectNode object = Json.object();
    object.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
    object.putObject("metadata").put("name", name).put("uid", "uid of " + name);
    object.set("spec", Json.parse(spec.replace('\'', '"')));
    objects.add(KubeObject.of(object));
  }

  private Classifier classifier() {
    return new Classifier(
        new FlowControlSource() {
          @Override
          public long revision() {
            return 0;
          }

          @Override
          public List<KubeObject> list(Kind kind) {
            return objects.stream().filter(object -> object.kind().equals(kind)).toList();
          }
        });
  }
}
