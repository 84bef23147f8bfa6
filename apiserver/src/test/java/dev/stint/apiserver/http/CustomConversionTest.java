package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.http.HttpApi.Answer;
import dev.stint.apiserver.webhook.HookServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Custom resources whose versions a webhook converts, as clients see them. */
class CustomConversionTest {
  private static final String MERGE = "application/merge-patch+json";
  private static final String APPLY = "application/apply-patch+yaml";
  private static final String METADATA =
      "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String OLD = "/apis/example.com/v1/namespaces/default/endpoints";
  private static final String NEW = "/apis/example.com/v2/namespaces/default/endpoints";
  private static final String VERSION =
      """
      {'name': 'NAME', 'served': true, 'storage': STORED,
       'subresources': {'status': {}, 'scale': {
         'specReplicasPath': '.spec.replicas', 'statusReplicasPath': '.status.replicas'}},
       'schema': {'openAPIV3Schema': {'type': 'object', 'properties': {
         'spec': {'type': 'object', 'properties': {
           'replicas': {'type': 'integer', 'default': 1}, FIELDS}},
         'status': {'type': 'object', 'properties': {'replicas': {'type': 'integer'}}}}}}}
      """;
  private static final String DEFINITION =
      """
      {'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'CustomResourceDefinition',
       'metadata': {'name': 'endpoints.example.com'},
       'spec': {
         'group': 'example.com', 'scope': 'Namespaced',
         'names': {'plural': 'endpoints', 'kind': 'Endpoint'},
         'versions': [V1, V2],
         'conversion': {'strategy': 'Webhook', 'webhook': {
           'conversionReviewVersions': REVIEWS, 'clientConfig': {CLIENT, 'caBundle': 'BUNDLE'}}}}}
      """;

  private final HookServer hook = new HookServer(CustomConversionTest::convert);
  private final HttpApi api =
      new HttpApi(
          ApiServer.Options.defaults().withServiceAddresses(Map.of("system/hook", hook.address())));

  @AfterEach
  void close() {
    hook.close();
    api.close();
  }

  private void define() {
    define("'url': '" + hook.url() + "'", "['v1']", hook.certificate().leaf());
  }

  private void define(String client, String reviews, String bundle) {
    String definition =
        DEFINITION
            .replace("V1", version("v1", "'address': {'type': 'string'}", false))
            .replace(
                "V2", version("v2", "'host': {'type': 'string'}, 'port': {'type': 'string'}", true))
            .replace("CLIENT", client)
            .replace("REVIEWS", reviews)
            .replace("BUNDLE", bundle);
    Answer defined = api.post(DEFINITIONS, definition);
    assertThat(defined.code()).as(defined.body()).isEqualTo(201);
  }

  private static String version(String name, String fields, boolean stored) {
    return VERSION
        .replace("NAME", name)
        .replace("FIELDS", fields)
        .replace("STORED", String.valueOf(stored));
  }

  private static String endpoint(String version, String name, String spec) {
    return "{'apiVersion': 'example.com/%s', 'kind': 'Endpoint', 'metadata': {'name': '%s'}, 'spec': {%s}}"
        .formatted(version, name, spec);
  }

  private Answer patch(String path, String type, String body) {
    return api.call("PATCH", path, body, Map.of("Content-Type", type));
  }

  /** Converts as the example in Kubernetes' documentation does. */
  private static void convert(HttpExchange exchange, ObjectNode review) throws IOException {
    HookServer.json(exchange, converted(review, _ -> {}));
  }

  private static ObjectNode converted(ObjectNode review, Consumer<ObjectNode> twist) {
    ObjectNode answer = HookServer.converted(review, CustomConversionTest::changeSpec);
    twist.accept((ObjectNode) answer.get("response"));
    return answer;
  }

  private static void changeSpec(ObjectNode object) {
    if (object.path("spec") instanceof ObjectNode spec) {
      change(spec);
    }
  }

  private static void change(ObjectNode spec) {
    if (spec.has("address")) {
      String[] parts = spec.path("address").asString("").split(":", 2);
      spec.put("host", parts[0]).put("port", parts[1]).remove("address");
    } else if (spec.has("host")) {
      spec.put("address", spec.path("host").asString("") + ":" + spec.path("port").asString(""));
      spec.remove(List.of("host", "port"));
    }
  }

  private void twisted(Consumer<ObjectNode> twist) {
    hook.answer((exchange, review) -> HookServer.json(exchange, converted(review, twist)));
  }

  @Test
  void objectsAreWrittenAndReadInEitherVersion() {
    define();
    Answer created = api.post(OLD, endpoint("v1", "a", "'address': 'localhost:80'"));
    assertThat(created.code()).as(created.body()).isEqualTo(201);
    assertThat(created.at("/spec/address")).isEqualTo("localhost:80");
    assertThat(api.get(NEW + "/a").at("/spec/host")).isEqualTo("localhost");
    Answer changed = patch(OLD + "/a", MERGE, "{'spec': {'address': 'example.com:443'}}");
    assertThat(changed.code()).as(changed.body()).isEqualTo(200);
    assertThat(changed.at("/metadata/generation")).isEqualTo("2");
    assertThat(api.get(NEW + "/a").at("/spec/port")).isEqualTo("443");
    String read = "'a', 'resourceVersion': '" + changed.at("/metadata/resourceVersion") + "'";
    String next = endpoint("v1", "a", "'address': 'b:1'").replace("'a'", read);
    Answer replaced = api.call("PUT", OLD + "/a", next, Map.of());
    assertThat(replaced.at("/spec/address")).as(replaced.body()).isEqualTo("b:1");
    assertThat(replaced.at("/spec/replicas")).isEqualTo("1");
  }

  @Test
  void appliesStatusesAndScalesAreConvertedToo() {
    define();
    Answer applied =
        patch(OLD + "/a?fieldManager=x", APPLY, endpoint("v1", "a", "'address': 'a:1'"));
    assertThat(applied.code()).as(applied.body()).isEqualTo(201);
    Answer again = patch(OLD + "/a?fieldManager=x", APPLY, endpoint("v1", "a", "'address': 'b:2'"));
    assertThat(again.at("/spec/address")).as(again.body()).isEqualTo("b:2");
    assertThat(api.get(NEW + "/a").at("/spec/host")).isEqualTo("b");
    Answer status = patch(OLD + "/a/status", MERGE, "{'status': {'replicas': 2}}");
    assertThat(status.at("/status/replicas")).as(status.body()).isEqualTo("2");
    Answer scale = patch(OLD + "/a/scale", MERGE, "{'spec': {'replicas': 5}}");
    assertThat(scale.at("/spec/replicas")).as(scale.body()).isEqualTo("5");
    assertThat(scale.at("/status/replicas")).isEqualTo("2");
    assertThat(scale.at("/metadata/managedFields/0/subresource")).isEqualTo("scale");
    assertThat(scale.at("/metadata/managedFields/0/apiVersion")).isEqualTo("autoscaling/v1");
    assertThat(api.get(NEW + "/a").at("/spec/replicas")).isEqualTo("5");
  }

  @Test
  void aListIsConvertedByOneCallAndOnceForAllReaders() {
    define();
    for (String name : List.of("a", "b", "c")) {
      api.post(NEW, endpoint("v2", name, "'host': '" + name + "', 'port': '1'"));
    }
    assertThat(hook.requests()).isEmpty();
    Answer list = api.get(OLD);
    assertThat(list.at("/items/2/spec/address")).as(list.body()).isEqualTo("c:1");
    assertThat(hook.requests()).hasSize(1);
    assertThat(hook.requests().getFirst().at("/request/objects")).hasSize(3);
    assertThat(hook.requests().getFirst().at("/request/desiredAPIVersion").asString())
        .isEqualTo("example.com/v1");
    assertThat(api.get(OLD + "/b").at("/spec/address")).isEqualTo("b:1");
    assertThat(api.get(OLD, HttpApi.TABLE).at("/rows/0/cells/0")).isEqualTo("a");
    assertThat(hook.requests()).hasSize(1);
  }

  @Test
  void aListWithASelectorOrOfSeveralPiecesIsConvertedByOneCall() {
    define();
    for (String name : List.of("a", "b", "c")) {
      String host = name.repeat(30 << 10);
      api.post(NEW, endpoint("v2", name, "'host': '" + host + "', 'port': '1'"));
    }
    assertThat(api.get(OLD + "?labelSelector=none").at("/items/0")).isEmpty();
    assertThat(api.get(OLD).at("/items/2/metadata/name")).isEqualTo("c");
    assertThat(hook.requests()).hasSize(1);
    patch(NEW + "/a", MERGE, "{'spec': {'port': '2'}}");
    patch(NEW + "/b", MERGE, "{'spec': {'port': '2'}}");
    patch(NEW + "/c", MERGE, "{'spec': {'port': '2'}}");
    assertThat(api.get(OLD).at("/items/2/spec/address")).endsWith(":2");
    assertThat(hook.requests()).hasSize(2);
  }

  @Test
  void memoryIsTakenForWhatIsConvertedAlready() throws Exception {
    define();
    api.post(NEW, endpoint("v2", "a", "'host': '" + "a".repeat(70 << 10) + "', 'port': '1'"));
    for (String path : List.of(OLD, OLD + "?watch=1")) {
      ApiResponse answer = api.reply("GET", path, new byte[0], Map.of());
      MeasuringSink sink = new MeasuringSink();
      ((ApiResponse.Streamed) answer).body().writeTo(sink);
      assertThat(sink.pieces).as(path).isPositive();
    }
  }

  /** A client that disconnects after the first piece. */
  private static final class MeasuringSink implements ApiResponse.Sink {
    private Runnable end = () -> {};
    private int pieces;

    @Override
    public void write(byte[] bytes) {}

    @Override
    public void write(long size, ApiResponse.Piece piece) {
      assertThat(piece.bytes()).hasSize((int) size);
      pieces++;
      end.run();
    }

    @Override
    public void onClose(Runnable task) {
      end = task;
    }
  }

  @Test
  void watchesShowTheirVersion() throws Exception {
    define();
    api.post(NEW, endpoint("v2", "a", "'host': 'a', 'port': '1'"));
    String list = api.get(NEW).at("/metadata/resourceVersion");
    api.post(NEW, endpoint("v2", "b", "'host': 'b', 'port': '1'"));
    patch(NEW + "/b", MERGE, "{'spec': {'port': '2'}}");
    List<ObjectNode> events =
        api.watch(OLD + "?watch=1&resourceVersion=" + list, "application/json", 2);
    assertThat(events.get(0).at("/object/spec/address").asString()).isEqualTo("b:1");
    assertThat(events.get(1).at("/object/spec/address").asString()).isEqualTo("b:2");
    List<ObjectNode> initial = api.watch(OLD + "?watch=1", "application/json", 1);
    assertThat(initial.get(0).at("/object/apiVersion").asString()).isEqualTo("example.com/v1");
  }

  @Test
  void aWatchEndsWithTheFailure() throws Exception {
    define();
    twisted(response -> response.putObject("result").put("status", "Failed").put("message", "no"));
    api.post(NEW, endpoint("v2", "a", "'host': 'a', 'port': '1'"));
    List<ObjectNode> events = api.watch(OLD + "?watch=1", "application/json", 2);
    assertThat(events).hasSize(1);
    assertThat(events.getFirst().at("/type").asString()).isEqualTo("ERROR");
    assertThat(events.getFirst().at("/object/code").asInt()).isEqualTo(500);
  }

  @Test
  void everyRequestFailsWithTheWordsOfTheWebhook() {
    define();
    api.post(NEW, endpoint("v2", "a", "'host': 'a', 'port': '1'"));
    twisted(response -> response.putObject("result").put("status", "Failed").put("message", "no"));
    String failed = "conversion webhook for example.com/v2, Kind=Endpoint failed: no";
    expect(api.get(OLD + "/a"), failed);
    expect(api.get(OLD), failed);
    expect(api.get(OLD + "/a", METADATA), failed);
    expect(patch(OLD + "/a", MERGE, "{'metadata': {'annotations': {'x': 'y'}}}"), failed);
    expect(patch(OLD + "/a/status", MERGE, "{'status': {}}"), failed);
    expect(patch(OLD + "/a/scale", MERGE, "{'spec': {'replicas': 2}}"), failed);
    expect(api.get(OLD + "/a/status"), failed);
    expect(api.get(OLD + "/a/scale"), failed);
    expect(api.delete(OLD + "/a", ""), failed);
    expect(api.delete(OLD, ""), failed);
    expect(
        api.post(OLD, endpoint("v1", "b", "'address': 'a:1'")),
        "conversion webhook for example.com/v1, Kind=Endpoint failed: no");
    assertThat(api.get(NEW + "/a").code()).isEqualTo(200);
    assertThat(api.delete(NEW + "/a", "").code()).isEqualTo(200);
  }

  private static void expect(Answer answer, String message) {
    assertThat(answer.code()).as(answer.body()).isEqualTo(500);
    assertThat(answer.at("/message")).isEqualTo(message);
  }

  @Test
  void ofTheMetadataOnlyLabelsAndAnnotationsMayChange() {
    define();
    api.post(NEW, endpoint("v2", "a", "'host': 'a', 'port': '1'"));
    twisted(response -> {
      ObjectNode metadata = (ObjectNode) response.at("/convertedObjects/0/metadata");
      metadata.putObject("labels").put("new", "label");
      metadata.put("generation", 77).remove("resourceVersion");
    });
    Answer read = api.get(OLD + "/a");
    assertThat(read.at("/metadata/labels/new")).as(read.body()).isEqualTo("label");
    assertThat(read.at("/metadata/generation")).isEqualTo("1");
    assertThat(read.at("/metadata/resourceVersion")).isNotEmpty();
    assertThat(api.get(OLD + "?labelSelector=new").at("/items/0/metadata/name")).isEqualTo("a");
    assertThat(api.get(OLD + "/a", METADATA).at("/metadata/labels/new")).isEqualTo("label");
  }

  @Test
  void whatIsNotTheSameObjectIsRefused() {
    define();
    String start = "conversion webhook for example.com/v2, Kind=Endpoint returned ";
    api.post(NEW, endpoint("v2", "a", "'host': 'a', 'port': '1'"));
    twisted(response -> response.putArray("convertedObjects"));
    expect(api.get(OLD + "/a"), start + "0 objects, expected 1");
    twisted(response -> ((ObjectNode) response.at("/convertedObjects/0")).put("kind", "Other"));
    expect(
        api.get(OLD + "/a"),
        start + "invalid object: invalid kind (expected Endpoint, received Other)");
    twisted(response ->
        ((ObjectNode) response.at("/convertedObjects/0")).put("apiVersion", "example.com/v3"));
    assertThat(api.get(OLD + "/a").at("/message"))
        .contains("invalid groupVersion (expected example.com/v1, received example.com/v3)");
    twisted(response ->
        ((ObjectNode) response.at("/convertedObjects/0/metadata")).put("name", "other"));
    expect(api.get(OLD + "/a"), start + "invalid object: must have the same name: a != other");
    twisted(response ->
        ((ObjectNode) response.at("/convertedObjects/0/metadata"))
            .putObject("labels")
            .put("?", "x"));
    assertThat(api.get(OLD + "/a").at("/message")).startsWith(start + "invalid metadata: ");
    twisted(response -> response.put("uid", "another"));
    assertThat(api.get(OLD + "/a").at("/message")).contains("failed: expected response.uid=");
  }

  @Test
  void theReviewHasTheVersionThatTheWebhookPrefers() {
    define("'url': '" + hook.url() + "'", "['v9', 'v1beta1', 'v1']", hook.certificate().leaf());
    twisted(response -> response.remove("uid"));
    api.post(NEW, endpoint("v2", "a", "'host': 'a', 'port': '1'"));
    assertThat(api.get(OLD + "/a").at("/spec/address")).isEqualTo("a:1");
    assertThat(hook.requests().getFirst().path("apiVersion").asString())
        .isEqualTo("apiextensions.k8s.io/v1beta1");
  }

  @Test
  void aWebhookMayBeBehindAService() {
    define(
        "'service': {'namespace': 'system', 'name': 'hook', 'path': '/x'}",
        "['v1']",
        hook.certificate().authority());
    api.post(NEW, endpoint("v2", "a", "'host': 'a', 'port': '1'"));
    assertThat(api.get(OLD + "/a").at("/spec/address")).isEqualTo("a:1");
  }

  @Test
  void theServiceMayBeTheNameOfAHost() {
    define(
        "'service': {'namespace': 'default', 'name': 'hook', 'port': %d}"
            .formatted(hook.address().getPort()),
        "['v1']",
        hook.certificate().authority());
    api.post(NEW, endpoint("v2", "a", "'host': 'a', 'port': '1'"));
    assertThat(api.get(OLD + "/a").at("/message"))
        .contains("Post \"https://hook.default.svc:")
        .endsWith("service \"hook\" not found");
    String service =
        "{'apiVersion': 'v1', 'kind': 'Service', 'metadata': {'name': 'hook'}, 'spec': {'type': 'ExternalName', 'externalName': '127.0.0.1'}}";
    assertThat(api.post("/api/v1/namespaces/default/services", service).code()).isEqualTo(201);
    assertThat(api.get(OLD + "/a").at("/spec/address")).isEqualTo("a:1");
  }

  @Test
  void aWebhookMayAskTheApi() {
    define();
    api.post(NEW, endpoint("v2", "a", "'host': 'a', 'port': '1'"));
    hook.answer((exchange, review) -> {
      assertThat(api.get(NEW + "/a").code()).isEqualTo(200);
      assertThat(api.post(HttpApi.CONFIG_MAPS, HttpApi.configMap("asked", "{}")).code())
          .isIn(201, 409);
      convert(exchange, review);
    });
    assertThat(api.get(OLD + "/a").at("/spec/address")).isEqualTo("a:1");
    assertThat(patch(OLD + "/a", MERGE, "{'spec': {'address': 'x:2'}}").code()).isEqualTo(200);
  }

  @Test
  void withoutCertificatesInTheBundleNothingIsServed() {
    define("'url': '" + hook.url() + "'", "['v1']", "aGVsbG8=");
    assertThat(api.get(NEW).code()).isEqualTo(404);
    String mended =
        "{'spec': {'conversion': {'webhook': {'clientConfig': {'caBundle': 'BUNDLE'}}}}}";
    String path = DEFINITIONS + "/endpoints.example.com";
    assertThat(patch(path, MERGE, mended.replace("BUNDLE", hook.certificate().leaf())).code())
        .isEqualTo(200);
    assertThat(api.get(NEW).code()).isEqualTo(200);
    Answer broken = patch(path, MERGE, mended.replace("BUNDLE", "aGVsbG8="));
    assertThat(broken.code()).isEqualTo(422);
    assertThat(broken.causes()).containsExactly("spec.conversion.webhookClientConfig.caBundle");
  }

  @Test
  void aWatchEndsWhenItsDefinitionChanges() throws Exception {
    define();
    api.post(NEW, endpoint("v2", "a", "'host': 'a', 'port': '1'"));
    hook.answer((exchange, review) -> {
      String path = DEFINITIONS + "/endpoints.example.com";
      String none = "{'spec': {'conversion': {'strategy': 'None', 'webhook': null}}}";
      assertThat(patch(path, MERGE, none).code()).isEqualTo(200);
      convert(exchange, review);
    });
    List<ObjectNode> events = api.watch(OLD + "?watch=1", "application/json", 9);
    assertThat(events).hasSize(1);
    assertThat(events.getFirst().at("/object/spec/address").asString()).isEqualTo("a:1");
  }
}
