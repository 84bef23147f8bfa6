package dev.stint.apiserver.http.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.catalogue.TestCatalogue;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.model.field.FieldError;
import dev.stint.store.Store;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.SimulatedEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Patches and server-side apply, from the request to the answer. */
class PatchHandlerTest {
  private static final String APPLY = "application/apply-patch+yaml";
  private static final String MERGE = "application/merge-patch+json";
  private static final String JSON_PATCH = "application/json-patch+json";
  private static final String STRATEGIC = "application/strategic-merge-patch+json";

  private static final String CRON_JOB =
      """
      {"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"c","labels":{"a":"b"}},
       "spec":{"schedule":"@daily","jobTemplate":{"spec":{"template":{"spec":{
         "restartPolicy":"Never","containers":[{"name":"main","image":"busybox"}]}}}}}}
      """;

  private Instant now = Instant.parse("2026-01-31T12:00:00Z");
  private final ExecutorService loop = Executors.newSingleThreadExecutor();
  private final Store store;
  private final WriteHandler writes;
  private final PatchHandler patches;

  PatchHandlerTest() throws Exception {
    store = Store.open(new SimulatedEngine(), loop, StoreOptions.defaults());
    ApiServer api =
        new ApiServer(
            store,
            loop,
            () -> now,
            new SplittableRandom(7),
            FeatureGates.DEFAULT,
            ApiServer.Options.defaults());
    writes = new WriteHandler(api, () -> now);
    patches = new PatchHandler(api, () -> now);
  }

  @AfterEach
  void close() {
    store.close();
    loop.shutdown();
  }

  @Test
  void aPartIsAppliedWithoutWhatItDoesNotSay() throws Exception {
    create(Kind.CRON_JOB, CRON_JOB);
    ObjectNode suspended =
        apply(Kind.CRON_JOB, "two", configuration("CronJob", "'spec':{'suspend':true}"), true);
    assertThat(suspended.at("/spec/suspend").asBoolean()).isTrue();
    assertThat(suspended.at("/spec/schedule").asString()).isEqualTo("@daily");
    assertThat(owned(suspended, "two")).isEqualTo("{'f:spec':{'f:suspend':{}}}");
  }

  @Test
  void anAppliedPodOfNameAndImageOwnsNoMore() throws Exception {
    String pod =
        configuration("v1", "Pod", "'spec':{'containers':[{'name':'main','image':'busybox'}]}");
    ObjectNode applied = apply(Kind.POD, "one", pod, false);
    assertThat(owned(applied, "one"))
        .isEqualTo(
            "{'f:spec':{'f:containers':{'k:{\\'name\\':\\'main\\'}':"
                + "{'.':{},'f:image':{},'f:name':{}}}}}");
    assertThat(applied.at("/spec/containers/0").has("resources")).isTrue();
  }

  @Test
  void whoCreatesAPodDoesNotOwnWhatAdmissionAdds() throws Exception {
    String pod =
        configuration("v1", "Pod", "'spec':{'containers':[{'name':'main','image':'busybox'}]}");
    ObjectNode created = create(Kind.POD, pod);
    assertThat(created.at("/spec").has("priority")).isTrue();
    JsonNode fields = entry(created, "unknown").path("fieldsV1");
    assertThat(fields.propertyNames()).containsExactly("f:spec");
    assertThat(fields.path("f:spec").propertyNames())
        .containsExactly(
            "f:containers",
            "f:dnsPolicy",
            "f:enableServiceLinks",
            "f:restartPolicy",
            "f:schedulerName",
            "f:securityContext",
            "f:terminationGracePeriodSeconds");
  }

  @Test
  void whoCreatesAJobDoesNotOwnItsSelector() throws Exception {
    String job =
        configuration(
            "Job",
            "'spec':{'template':{'metadata':{'labels':{'l':'1'}},'spec':{"
                + "'restartPolicy':'Never','containers':[{'name':'main','image':'busybox'}]}}}");
    JsonNode spec = entry(create(Kind.JOB, job), "unknown").path("fieldsV1").path("f:spec");
    assertThat(spec.has("f:selector")).isFalse();
    assertThat(spec.path("f:template").path("f:metadata").path("f:labels").propertyNames())
        .containsExactly(".", "f:l");
    assertThat(spec.has("f:backoffLimit")).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "{'kind':'CronJob','metadata':{'name':'c'}} | Incorrect version",
        "{'apiVersion':'batch/v1','metadata':{'name':'c'}} | the kind in the data () does not match",
        "{'apiVersion':'batch/v2','kind':'CronJob','metadata':{'name':'c'}} | Incorrect version",
        "{'apiVersion':'batch/v1','kind':'CronJob','spec':{'nope':1}} | spec.nope",
        "{'apiVersion':'batch/v1','kind':'CronJob','spec':{'suspend':'x'}} | spec.suspend",
        "{'apiVersion':'batch/v1','kind':'CronJob','metadata':{'managedFields':[]}} | must be nil",
        "{'apiVersion':'batch/v1','kind':'CronJob','metadata':{'name':'d'}} | does not match the name",
      })
  void refusesConfigurationsThatAreNone(String text, String why) throws Exception {
    create(Kind.CRON_JOB, CRON_JOB);
    ClusterException refusal =
        refusal(() -> apply(Kind.CRON_JOB, "two", text.replace('\'', '"'), true));
    assertThat(refusal.reason()).isEqualTo(Reason.BAD_REQUEST);
    assertThat(refusal).hasMessageContaining(why);
  }

  @Test
  void takesAConfigurationInBracesThatIsYaml() throws Exception {
    ObjectNode applied =
        apply(
            Kind.CONFIG_MAP,
            "one",
            "{\n\t\"apiVersion\": \"v1\",\n\t\"kind\": \"ConfigMap\",\n"
                + "\t\"metadata\": {\"name\": \"c\",},\n\t\"data\": {\"a\": \"b\",},\n}",
            false);
    assertThat(applied.at("/data/a").asString()).isEqualTo("b");
  }

  @Test
  void applyingAgainWritesNothing() throws Exception {
    create(Kind.CRON_JOB, CRON_JOB);
    String wanted =
        configuration(
            "CronJob",
            "'metadata':{'name':'c','labels':{}},'spec':{'suspend':false,'jobTemplate':{'spec':{"
                + "'template':{'spec':{'containers':[{'name':'main','resources':{'limits':"
                + "{'cpu':'1000m'}}}]}}}}}");
    ObjectNode first = apply(Kind.CRON_JOB, "two", wanted, true);
    now = now.plusSeconds(60);
    assertThat(apply(Kind.CRON_JOB, "two", wanted, false)).isEqualTo(first);
  }

  @Test
  void aConfigurationForAnotherRevisionConflicts() throws Exception {
    create(Kind.CRON_JOB, CRON_JOB);
    String wanted = configuration("CronJob", "'metadata':{'name':'c','resourceVersion':'777'}");
    assertThat(refusal(() -> apply(Kind.CRON_JOB, "two", wanted, true)).reason())
        .isEqualTo(Reason.CONFLICT);
  }

  @Test
  void aStatusIsAppliedWithLabels() throws Exception {
    create(Kind.CRON_JOB, CRON_JOB);
    ObjectNode applied =
        send(
            Kind.CRON_JOB,
            "status",
            APPLY,
            "fieldManager=two",
            configuration(
                "CronJob",
                "'metadata':{'name':'c','labels':{'n':'1'}},"
                    + "'status':{'lastScheduleTime':'2026-01-01T00:00:00Z'}"));
    assertThat(applied.at("/metadata/labels")).hasSize(2);
    assertThat(owned(applied, "two"))
        .isEqualTo("{'f:metadata':{'f:labels':{'f:n':{}}},'f:status':{'f:lastScheduleTime':{}}}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "[{}]"})
  void managedFieldsAreForgottenOnDemand(String given) throws Exception {
    create(Kind.CRON_JOB, CRON_JOB);
    ObjectNode patched =
        send(Kind.CRON_JOB, "", MERGE, "", "{\"metadata\":{\"managedFields\":" + given + "}}");
    assertThat(patched.path("metadata").has("managedFields")).isFalse();
    ObjectNode changed = send(Kind.CRON_JOB, "", MERGE, "", "{\"spec\":{\"suspend\":true}}");
    assertThat(changed.path("metadata").has("managedFields")).isFalse();
  }

  @Test
  void managedFieldsMayBeMovedToAnotherManager() throws Exception {
    create(Kind.CRON_JOB, CRON_JOB);
    ObjectNode patched =
        send(
            Kind.CRON_JOB,
            "",
            JSON_PATCH,
            "fieldManager=kubectl",
            "[{\"op\":\"replace\",\"path\":\"/metadata/managedFields/0/manager\",\"value\":\"x\"}]");
    assertThat(managers(patched)).containsExactly("x");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "application/json-patch+json | [{'op':'add','path':'/spec/suspend','value':'x'}]",
        "application/merge-patch+json | {'spec':{'suspend':'x'}}",
        "application/strategic-merge-patch+json | {'spec':{'suspend':'x'}}",
        "application/merge-patch+json | {'spec':{'nope':'x'}}",
        "application/merge-patch+json | {'kind':'Pod'}",
        "application/merge-patch+json | {'apiVersion':'v1'}",
        "application/json-patch+json | [{'op':'replace','path':'/kind','value':7}]",
        "application/merge-patch+json | {'metadata':{'labels':{'a':'1','a':'2'}}}",
        "application/strategic-merge-patch+json | {'spec':{},'spec':{}}",
        "application/json-patch+json | [{'op':'test','op':'add','path':'/metadata/labels/a'}]",
        "application/json-patch+json | [{'op':'remove','path':'/metadata/labels/a','x':1}]",
      })
  void whatAPatchMakesOfAnObjectMustFitItsKind(String type, String patch) throws Exception {
    create(Kind.CRON_JOB, CRON_JOB);
    ClusterException refusal =
        refusal(() ->
            send(Kind.CRON_JOB, "", type, "fieldValidation=Strict", patch.replace('\'', '"')));
    assertThat(refusal.reason()).isEqualTo(Reason.INVALID);
    assertThat(refusal.causes()).hasSize(1);
    assertThat(refusal.causes().getFirst().path()).isEqualTo("patch");
  }

  @Test
  void aPatchNeedNotSayTheKind() throws Exception {
    create(Kind.CRON_JOB, CRON_JOB);
    String patch = "{\"kind\":null,\"apiVersion\":null,\"spec\":{\"suspend\":true}}";
    assertThat(send(Kind.CRON_JOB, "", MERGE, "", patch).at("/spec/suspend").asBoolean()).isTrue();
    assertThat(send(Kind.CRON_JOB, "", STRATEGIC, "", "{\"kind\":\"X\"}").path("kind").asString())
        .isEqualTo("CronJob");
  }

  @Test
  void onlyWhatExistsIsAppliedWithoutItsName() throws Exception {
    String nameless = "apiVersion: v1\nkind: ConfigMap\ndata: {a: b}\n";
    assertThat(refusal(() -> apply(Kind.CONFIG_MAP, "one", nameless, false)).reason())
        .isEqualTo(Reason.BAD_REQUEST);
    create(Kind.CONFIG_MAP, configuration("v1", "ConfigMap", "'data':{}"));
    assertThat(apply(Kind.CONFIG_MAP, "one", nameless, false).at("/data/a").asString())
        .isEqualTo("b");
  }

  @Test
  void aPatchThatIsNoneIsABadRequest() throws Exception {
    create(Kind.CRON_JOB, CRON_JOB);
    for (String type : List.of(MERGE, STRATEGIC, JSON_PATCH)) {
      assertThat(refusal(() -> send(Kind.CRON_JOB, "", type, "", "{")).reason())
          .isEqualTo(Reason.BAD_REQUEST);
    }
  }

  @Test
  void anUpdateOwnsWhatItChangesOnly() throws Exception {
    ObjectNode created = create(Kind.CRON_JOB, CRON_JOB);
    now = now.plusSeconds(60);
    ((ObjectNode) created.path("spec")).put("suspend", true);
    ObjectNode written =
        tree(
            writes.replace(
                call("PUT", "application/json", "fieldManager=two", created.toString()),
                ref(Kind.CRON_JOB),
                ""));
    assertThat(owned(written, "two")).isEqualTo("{'f:spec':{'f:suspend':{}}}");
    assertThat(managers(written)).containsExactly("unknown", "two");
  }

  @Test
  void whatAdmissionPutsBackBelongsToNobody() throws Exception {
    String toleration =
        "{'key':'node.kubernetes.io/%s','operator':'Exists','effect':'NoExecute',"
            + "'tolerationSeconds':300}";
    String added =
        "'priority':0,'tolerations':[%s,%s]"
            .formatted(toleration.formatted("not-ready"), toleration.formatted("unreachable"));
    String containers = "'containers':[{'name':'main','image':'a'}],";
    create(Kind.POD, configuration("v1", "Pod", "'spec':{" + containers + added + "}"));
    ObjectNode replaced =
        tree(
            writes.replace(
                call(
                    "PUT",
                    "application/json",
                    "fieldManager=two",
                    configuration(
                        "v1", "Pod", "'spec':{'containers':[{'name':'main','image':'b'}]}")),
                ref(Kind.POD),
                ""));
    assertThat(replaced.at("/spec/priority").asInt()).isZero();
    JsonNode first = entry(replaced, "unknown").path("fieldsV1").path("f:spec");
    assertThat(first.propertyNames()).doesNotContain("f:priority", "f:tolerations");
    assertThat(owned(replaced, "two"))
        .isEqualTo("{'f:spec':{'f:containers':{'k:{\\'name\\':\\'main\\'}':{'f:image':{}}}}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        MERGE + "|{\"binaryData\":{}}",
        STRATEGIC + "|{\"binaryData\":{}}",
        JSON_PATCH + "|[{\"op\":\"add\",\"path\":\"/binaryData\",\"value\":{}}]"
      })
  void toSetWhatIsEmptyChangesAnImmutableMapAndIsNotStored(String type, String patch)
      throws Exception {
    String map = configuration("v1", "ConfigMap", "'data':{'a':'b'},'binaryData':{}");
    ObjectNode created = create(Kind.CONFIG_MAP, map);
    assertThat(created.has("binaryData")).isFalse();
    ObjectNode patched = send(Kind.CONFIG_MAP, "", type, "", patch);
    assertThat(patched).isEqualTo(created);
    send(Kind.CONFIG_MAP, "", MERGE, "", "{\"immutable\":true}");
    assertThat(refusal(() -> send(Kind.CONFIG_MAP, "", type, "", patch)).causes())
        .extracting(FieldError::path)
        .containsExactly("binaryData");
  }

  @Test
  void anEmptyListIsNeitherStoredNorOwned() throws Exception {
    String claims = "'spec':{'containers':[{'name':'a','image':'b','resources':{'claims':[]}}]}";
    ObjectNode created = create(Kind.POD, configuration("v1", "Pod", claims));
    assertThat(created.at("/spec/containers/0/resources")).isEqualTo(Json.object());
    assertThat(created.path("metadata").toString()).doesNotContain("f:claims");
    ObjectNode applied = apply(Kind.POD, "one", configuration("v1", "Pod", claims), true);
    assertThat(applied.at("/spec/containers/0/resources")).isEqualTo(Json.object());
  }

  private ObjectNode create(Kind kind, String document) throws IOException {
    return tree(writes.create(call("POST", "application/json", "", document), kind, "default"));
  }

  private ObjectNode apply(Kind kind, String manager, String document, boolean force)
      throws IOException {
    return send(kind, "", APPLY, "fieldManager=" + manager + "&force=" + force, document);
  }

  private ObjectNode send(Kind kind, String subresource, String type, String query, String body)
      throws IOException {
    return tree(patches.patch(call("PATCH", type, query, body), ref(kind), subresource));
  }

  private static ObjectRef ref(Kind kind) {
    return new ObjectRef(kind, "default", "c");
  }

  private static Call call(String method, String type, String query, String body) {
    return Call.anonymous(
        TestCatalogue.BUILT_IN,
        method,
        "/",
        query,
        header -> header.equals("Content-Type") ? type : null,
        () -> body.getBytes(StandardCharsets.UTF_8));
  }

  private static ObjectNode tree(ApiResponse reply) {
    ApiResponse.Whole whole = (ApiResponse.Whole) reply;
    return Json.parse(new String(whole.body(), StandardCharsets.UTF_8));
  }

  /** Returns a document named "c"; a later "metadata" replaces the first. */
  private static String configuration(String kind, String members) {
    return configuration("batch/v1", kind, members);
  }

  private static String configuration(String apiVersion, String kind, String members) {
    ObjectNode document = Json.object().put("apiVersion", apiVersion).put("kind", kind);
    document.putObject("metadata").put("name", "c");
    document.setAll(Json.parse("{" + members.replace('\'', '"') + "}"));
    return document.toString();
  }

  private static List<String> managers(ObjectNode object) {
    List<String> managers = new ArrayList<>();
    object
        .path("metadata")
        .path("managedFields")
        .forEach(entry -> managers.add(entry.path("manager").asString("")));
    return managers;
  }

  private static JsonNode entry(ObjectNode object, String manager) {
    return object
        .path("metadata")
        .path("managedFields")
        .valueStream()
        .filter(entry -> entry.path("manager").asString("").equals(manager))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the fields of a manager as JSON with single quotes. */
  private static String owned(ObjectNode object, String manager) {
    return Objects.requireNonNull(entry(object, manager).get("fieldsV1"))
        .toString()
        .replace("\\\"", "\\'")
        .replace('"', '\'');
  }

  private interface Request {
    ObjectNode send() throws IOException;
  }

  private static ClusterException refusal(Request request) {
    return assertThatExceptionOfType(ClusterException.class).isThrownBy(request::send).actual();
  }
}
