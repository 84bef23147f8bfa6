package dev.stint.model.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Flow schemas and priority levels that cannot mean anything are refused. */
class FlowControlRulesTest {
  private static final String RULE = "'subjects':[%s],'resourceRules':[%s],'nonResourceRules':[%s]";
  private static final String ANYBODY = "{'kind':'Group','group':{'name':'*'}}";
  private static final String PODS =
      "{'verbs':['get'],'apiGroups':[''],'resources':['pods'],'namespaces':['*']}";

  @Test
  void everyBuiltInObjectIsValidAndComplete() {
    for (Kind kind : BuiltInFlowControl.kinds()) {
      for (String name : BuiltInFlowControl.names(kind)) {
        ObjectNode spec = Objects.requireNonNull(BuiltInFlowControl.spec(kind, name)).deepCopy();
        ObjectNode object = object(name, spec);
        assertThat(kind.equals(Kind.FLOW_SCHEMA) ? schema(object) : level(object)).isEmpty();
        assertThat(Json.objectAt(object, "spec")).isEqualTo(BuiltInFlowControl.spec(kind, name));
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'a' | 'priorityLevelConfiguration':{'name':'x'} |",
        "'a' | 'priorityLevelConfiguration':{} | spec.priorityLevelConfiguration.name REQUIRED",
        "'a' | 'priorityLevelConfiguration':{'name':'X!'}"
            + " | spec.priorityLevelConfiguration.name INVALID",
        "'a' | 'priorityLevelConfiguration':{'name':'x'},'matchingPrecedence':10000 |",
        "'a' | 'priorityLevelConfiguration':{'name':'x'},'matchingPrecedence':10001"
            + " | spec.matchingPrecedence INVALID",
        "'a' | 'priorityLevelConfiguration':{'name':'x'},'matchingPrecedence':-1"
            + " | spec.matchingPrecedence INVALID",
        "'a' | 'priorityLevelConfiguration':{'name':'x'},'matchingPrecedence':1"
            + " | spec.matchingPrecedence INVALID",
        "'a' | 'priorityLevelConfiguration':{'name':'x'},'distinguisherMethod':{'type':'ByVerb'}"
            + " | spec.distinguisherMethod.type NOT_SUPPORTED",
        "'catch-all' | 'priorityLevelConfiguration':{'name':'x'} | spec INVALID",
      })
  void schemasAreChecked(String name, String spec, @Nullable String faults) {
    ObjectNode object = object(name.replace("'", ""), json("{" + spec + "}"));
    assertThat(schema(object)).isEqualTo(faults == null ? "" : faults);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'kind':'User','user':{'name':'jane'}} |",
        "{'kind':'ServiceAccount','serviceAccount':{'namespace':'a','name':'*'}} |",
        "{'kind':'User'} | .user REQUIRED",
        "{'kind':'User','user':{'name':''}} | .user.name REQUIRED",
        "{'kind':'User','user':{'name':'a'},'group':{'name':'b'}} | .group FORBIDDEN",
        "{'kind':'Robot'} | .kind NOT_SUPPORTED",
        "{'kind':'ServiceAccount','serviceAccount':{'name':'a'}}"
            + " | .serviceAccount.namespace REQUIRED",
        "{'kind':'ServiceAccount','serviceAccount':{'namespace':'a','name':'A'}}"
            + " | .serviceAccount.name INVALID",
      })
  void subjectsAreChecked(String subject, @Nullable String fault) {
    assertThat(rule(RULE.formatted(subject, PODS, "")))
        .isEqualTo(fault == null ? "" : ".subjects[0]" + fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'verbs':['*'],'apiGroups':['*'],'resources':['*'],'clusterScope':true |",
        "'verbs':['*'],'apiGroups':['*'],'resources':['*'] | .namespaces REQUIRED",
        "'verbs':['*','get'],'apiGroups':['*'],'resources':['*'],'clusterScope':true"
            + " | .verbs INVALID",
        "'verbs':['fly'],'apiGroups':['*'],'resources':['*'],'clusterScope':true"
            + " | .verbs[0] NOT_SUPPORTED",
        "'verbs':['get'],'apiGroups':[],'resources':[],'clusterScope':true"
            + " | .apiGroups REQUIRED .resources REQUIRED",
        "'verbs':['get'],'apiGroups':['a'],'resources':['b'],'namespaces':['A']"
            + " | .namespaces[0] INVALID",
      })
  void resourceRulesAreChecked(String resources, @Nullable String faults) {
    assertThat(rule(RULE.formatted(ANYBODY, "{" + resources + "}", "")))
        .isEqualTo(faults == null ? "" : faults.replaceAll("(^| )\\.", "$1.resourceRules[0]."));
  }

  @ParameterizedTest
  @CsvSource({
    "/healthz,true",
    "/healthz/*,true",
    "*,true",
    "healthz,false",
    "/hea*,false",
    "/*/b,false"
  })
  void pathsAreChecked(String path, boolean valid) {
    String paths = "{'verbs':['get'],'nonResourceURLs':['" + path + "']}";
    assertThat(rule(RULE.formatted(ANYBODY, "", paths)))
        .isEqualTo(valid ? "" : ".nonResourceRules[0].nonResourceURLs[0] INVALID");
  }

  @Test
  void aRuleMatchesSomebodyAndSomething() {
    assertThat(rule(RULE.formatted("", "", ""))).isEqualTo(".subjects REQUIRED  REQUIRED");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'type':'Limited','limited':{'limitResponse':{'type':'Reject'}} |",
        "'type':'Limited','limited':{'limitResponse':{'type':'Queue','queuing':{}}} |",
        "'type':'Exempt' | spec.type INVALID",
        "'type':'Some' | spec.type NOT_SUPPORTED",
        "'type':'Limited' | spec.limited REQUIRED",
        "'type':'Limited','exempt':{},'limited':{'limitResponse':{'type':'Reject'}}"
            + " | spec.exempt FORBIDDEN",
        "'type':'Limited','limited':{'lendablePercent':101,'limitResponse':{'type':'Reject'}}"
            + " | spec.limited.lendablePercent INVALID",
        "'type':'Limited','limited':{'nominalConcurrencyShares':-1,"
            + "'limitResponse':{'type':'Reject'}} | spec.limited.nominalConcurrencyShares INVALID",
        "'type':'Limited','limited':{'borrowingLimitPercent':-1,'limitResponse':{'type':'Reject'}}"
            + " | spec.limited.borrowingLimitPercent INVALID",
        "'type':'Limited','limited':{'limitResponse':{'type':'Reject','queuing':{}}}"
            + " | spec.limited.limitResponse.queuing FORBIDDEN",
        "'type':'Limited','limited':{'limitResponse':{'type':'Queue'}}"
            + " | spec.limited.limitResponse.queuing REQUIRED",
        "'type':'Limited','limited':{'limitResponse':{'type':'Queue',"
            + "'queuing':{'queues':4,'handSize':5}}}"
            + " | spec.limited.limitResponse.queuing.handSize INVALID",
        "'type':'Limited','limited':{'limitResponse':{'type':'Queue',"
            + "'queuing':{'queues':1000000,'handSize':4}}}"
            + " | spec.limited.limitResponse.queuing.handSize INVALID",
        "'type':'Limited','limited':{'limitResponse':{'type':'Queue',"
            + "'queuing':{'queueLengthLimit':-1}}}"
            + " | spec.limited.limitResponse.queuing.queueLengthLimit INVALID",
        "'type':'Limited','limited':{'limitResponse':{'type':'Wait'}}"
            + " | spec.limited.limitResponse.type NOT_SUPPORTED",
      })
  void levelsAreChecked(String spec, @Nullable String faults) {
    assertThat(level(object("a", json("{" + spec + "}")))).isEqualTo(faults == null ? "" : faults);
  }

  @Test
  void onlyTheSeatsOfTheExemptLevelMayChange() {
    assertThat(level(object("exempt", json("{'type':'Exempt','exempt':{'lendablePercent':5}}"))))
        .isEmpty();
    assertThat(
            level(
                object(
                    "exempt",
                    json("{'type':'Limited','limited':{'limitResponse':{'type':'Reject'}}}"))))
        .isEqualTo("spec.type INVALID");
  }

  @Test
  void defaultsAreThoseOfKubernetes() {
    ObjectNode level =
        object("a", json("{'type':'Limited','limited':{'limitResponse':{'queuing':{}}}}"));
    PriorityLevelRules.complete(level);
    assertThat(level.get("spec"))
        .isEqualTo(
            json(
                "{'type':'Limited','limited':{'limitResponse':{'queuing':{'handSize':8,'queues':64,"
                    + "'queueLengthLimit':50}},'nominalConcurrencyShares':30,'lendablePercent':0}}"));
    ObjectNode schema = object("a", json("{}"));
    FlowSchemaRules.complete(schema);
    assertThat(schema.get("spec")).isEqualTo(json("{'matchingPrecedence':1000}"));
  }

  @Test
  void aStatusHasEachConditionOnce() {
    FieldErrors faults = new FieldErrors();
    FlowSchemaRules.status(
        FieldPath.root(json("{'conditions':[{'type':'A'},{'type':'A'},{'type':''}]}")), faults);
    assertThat(texts(faults)).isEqualTo("conditions[1].type DUPLICATE conditions[2].type REQUIRED");
  }

  private static String rule(String rule) {
    String spec = "{'priorityLevelConfiguration':{'name':'x'},'rules':[{" + rule + "}]}";
    return schema(object("a", json(spec))).replace("spec.rules[0]", "").strip();
  }

  private static String schema(ObjectNode object) {
    FlowSchemaRules.complete(object);
    FieldErrors faults = new FieldErrors();
    FlowSchemaRules.check(FieldPath.root(object), faults);
    return texts(faults);
  }

  private static String level(ObjectNode object) {
    PriorityLevelRules.complete(object);
    FieldErrors faults = new FieldErrors();
    PriorityLevelRules.check(FieldPath.root(object), faults);
    return texts(faults);
  }

  private static String texts(FieldErrors faults) {
    return faults.list().stream()
        .map(fault -> fault.path() + " " + fault.type())
        .collect(Collectors.joining(" "));
  }

  private static ObjectNode object(String name, ObjectNode spec) {
    ObjectNode object = Json.object();
    object.putObject("metadata").put("name", name);
    object.set("spec", spec);
    return object;
  }

  private static ObjectNode json(String text) {
    return Json.parse(text.replace('\'', '"'));
  }
}
