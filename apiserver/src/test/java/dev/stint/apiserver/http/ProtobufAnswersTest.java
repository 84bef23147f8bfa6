package dev.stint.apiserver.http;

import static dev.stint.apiserver.http.HttpApi.CONFIG_MAPS;
import static dev.stint.apiserver.http.HttpApi.JOBS;
import static dev.stint.apiserver.http.HttpApi.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.stint.cluster.protobuf.ProtobufDocument;
import dev.stint.cluster.protobuf.ProtobufEvents;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.model.Json;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime.Unknown;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Batch;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Answers in protobuf, read with the types of the official Java client. */
class ProtobufAnswersTest {
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
  private static final String METADATA = PROTOBUF + ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
  private static final String METADATA_LIST =
      PROTOBUF + ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
  private static final int LONG = 20;
  private static final int BYTES = 10_000;

  private final HttpApi api = new HttpApi();

  @AfterEach
  void close() {
    api.close();
  }

  /** An answer with its whole body, in the pieces in which it is sent. */
  private record Body(int code, String type, List<byte[]> pieces) {
    byte[] bytes() {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      pieces.forEach(all::writeBytes);
      return all.toByteArray();
    }

    ObjectNode tree() {
      return ProtobufDocument.read(bytes());
    }

    /** Returns the message in the envelope, which must state this kind. */
    ByteString message(String apiVersion, String kind) throws InvalidProtocolBufferException {
      ByteString all = ByteString.copyFrom(bytes());
      assertThat(all.substring(0, 4)).isEqualTo(ByteString.copyFromUtf8("k8s\0"));
      Unknown envelope = Unknown.parseFrom(all.substring(4));
      assertThat(envelope.getTypeMeta().getApiVersion()).isEqualTo(apiVersion);
      assertThat(envelope.getTypeMeta().getKind()).isEqualTo(kind);
      return envelope.getRaw();
    }
  }

  private Body get(String target, String accept) throws Exception {
    return body(api.reply("GET", target, new byte[0], Map.of("Accept", accept)));
  }

  private static Body body(ApiResponse reply) throws Exception {
    List<byte[]> pieces = new ArrayList<>();
    switch (reply) {
      case ApiResponse.Whole whole -> pieces.add(whole.body());
      case ApiResponse.Streamed streamed -> streamed.body().writeTo(sink(pieces));
      case ApiResponse.Upgraded upgraded -> throw new AssertionError(upgraded);
    }
    return new Body(reply.code(), reply.type(), pieces);
  }

  private static ApiResponse.Sink sink(List<byte[]> pieces) {
    return new ApiResponse.Sink() {
      private Runnable gone = () -> {};

      @Override
      public void write(byte[] bytes) {
        pieces.add(bytes);
        gone.run(); // One piece of a watch is enough.
      }

      @Override
      public void onClose(Runnable task) {
        gone = task;
      }
    };
  }

  @Test
  void anObjectIsTheSameAsInJson() throws Exception {
    api.post(JOBS, JobBuilder.indexed("a").completions(5));
    Body found = get(JOBS + "/a", PROTOBUF);
    assertThat(found.type()).isEqualTo(PROTOBUF);
    assertThat(found.tree()).isEqualTo(api.get(JOBS + "/a").tree());
    V1Batch.Job job = V1Batch.Job.parseFrom(found.message("batch/v1", "Job"));
    assertThat(job.getSpec().getCompletions()).isEqualTo(5);
    assertThat(job.getMetadata().getCreationTimestamp().getSeconds()).isPositive();
    assertThat(job.getMetadata().getManagedFields(0).getFieldsV1().getRaw().toStringUtf8())
        .startsWith("{\"f:spec\"");
  }

  @Test
  void aCreationIsAnsweredInTheSameEncoding() throws Exception {
    ObjectNode map = Json.parse(HttpApi.configMap("c", "{}").replace('\'', '"'));
    map.putObject("data").put("b", "2").put("a", "1");
    Map<String, String> headers = Map.of("Content-Type", PROTOBUF, "Accept", PROTOBUF);
    Body created = body(api.reply("POST", CONFIG_MAPS, ProtobufDocument.write(map), headers));
    assertThat(created.code()).isEqualTo(201);
    V1.ConfigMap found = V1.ConfigMap.parseFrom(created.message("v1", "ConfigMap"));
    assertThat(found.getDataMap()).containsExactly(Map.entry("a", "1"), Map.entry("b", "2"));
  }

  @Test
  void aListHasItsItems() throws Exception {
    api.post(PODS, PodBuilder.named("p"));
    Body list = get(PODS, PROTOBUF + ",application/json");
    V1.PodList pods = V1.PodList.parseFrom(list.message("v1", "PodList"));
    assertThat(pods.getItems(0).getSpec().getContainersList()).isNotEmpty();
    assertThat(pods.getMetadata().getResourceVersion())
        .isEqualTo(api.get(PODS).at("/metadata/resourceVersion"));
    assertThat(Json.objectAt(list.tree().get("items").get(0), "spec"))
        .isEqualTo(api.get(PODS).tree().at("/items/0/spec"));
  }

  @Test
  void anEmptyListIsAList() throws Exception {
    V1.PodList pods = V1.PodList.parseFrom(get(PODS, PROTOBUF).message("v1", "PodList"));
    assertThat(pods.getItemsCount()).isZero();
    assertThat(pods.getMetadata().getResourceVersion()).isNotEmpty();
  }

  @Test
  void aLongListComesInPieces() throws Exception {
    for (int i = 0; i < LONG; i++) {
      ObjectNode map = HttpApi.tree(HttpApi.configMap("c" + (10 + i), "{}"));
      map.putObject("data").put("a", "x".repeat(BYTES));
      assertThat(api.post(CONFIG_MAPS, map.toString()).code()).isEqualTo(201);
    }
    Body list = get(CONFIG_MAPS, PROTOBUF);
    assertThat(list.pieces()).hasSizeGreaterThan(2).allMatch(piece -> piece.length < 128 << 10);
    V1.ConfigMapList maps = V1.ConfigMapList.parseFrom(list.message("v1", "ConfigMapList"));
    assertThat(maps.getItemsList())
        .hasSize(LONG)
        .allMatch(map -> map.getDataOrThrow("a").length() == BYTES);
    assertThat(
            Meta.PartialObjectMetadataList.parseFrom(
                    get(CONFIG_MAPS, METADATA_LIST)
                        .message("meta.k8s.io/v1", "PartialObjectMetadataList"))
                .getItemsList())
        .extracting(item -> item.getMetadata().getName())
        .hasSize(LONG)
        .startsWith("c10");
  }

  @Test
  void aTableIsOneInJson() throws Exception {
    assertThat(get(PODS, PROTOBUF + ";as=Table;g=meta.k8s.io;v=v1," + HttpApi.TABLE).type())
        .isEqualTo("application/json");
    assertThat(get(PODS, PROTOBUF + ";as=Table;g=meta.k8s.io;v=v1").code()).isEqualTo(406);
  }

  @Test
  void aRefusalIsAStatus() throws Exception {
    Body refusal = get(PODS + "/none", PROTOBUF);
    assertThat(refusal.code()).isEqualTo(404);
    Meta.Status status = Meta.Status.parseFrom(refusal.message("v1", "Status"));
    assertThat(status.getReason()).isEqualTo("NotFound");
    assertThat(status.getDetails().getName()).isEqualTo("none");
  }

  @Test
  void aDeletionIsAnsweredWithAStatus() throws Exception {
    api.post(CONFIG_MAPS, HttpApi.configMap("c", "{}"));
    Body deleted =
        body(api.reply("DELETE", CONFIG_MAPS + "/c", new byte[0], Map.of("Accept", PROTOBUF)));
    Meta.Status status = Meta.Status.parseFrom(deleted.message("v1", "Status"));
    assertThat(status.getStatus()).isEqualTo("Success");
    assertThat(status.getDetails().getKind()).isEqualTo("configmaps");
  }

  @Test
  void aWatchHasAMessageForEachEvent() throws Exception {
    api.post(PODS, PodBuilder.named("p"));
    Body watch =
        get(
            PODS
                + "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                + "&allowWatchBookmarks=true",
            PROTOBUF + ";stream=watch");
    assertThat(watch.type()).isEqualTo("application/vnd.kubernetes.protobuf;stream=watch");
    List<ProtobufEvents.Event> events = events(watch.bytes());
    assertThat(events).extracting(ProtobufEvents.Event::type).containsExactly("ADDED", "BOOKMARK");
    assertThat(ProtobufDocument.read(events.getFirst().object()))
        .isEqualTo(api.get(PODS + "/p").tree());
    int length = watch.bytes()[2] << 8 & 0xff00 | watch.bytes()[3] & 0xff;
    Meta.WatchEvent first =
        Meta.WatchEvent.parseFrom(ByteString.copyFrom(watch.bytes(), 4, length));
    assertThat(first.getType()).isEqualTo("ADDED");
    assertThat(first.getObject().getRaw().toByteArray()).isEqualTo(events.getFirst().object());
  }

  private static List<ProtobufEvents.Event> events(byte[] bytes) {
    List<ProtobufEvents.Event> events = new ArrayList<>();
    ProtobufEvents splitter = new ProtobufEvents();
    for (byte single : bytes) {
      splitter.split(new byte[] {single}, events::add);
    }
    return events;
  }

  @Test
  void aWatchThatFailsSaysWhy() throws Exception {
    Body watch = get(PODS + "?watch=true&resourceVersion=x", PROTOBUF);
    assertThat(watch.code()).isEqualTo(400);
    assertThat(Meta.Status.parseFrom(watch.message("v1", "Status")).getCode()).isEqualTo(400);
  }

  private void define() {
    String definition =
        """
        {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
         "metadata": {"name": "pools.example.com"},
         "spec": {
           "group": "example.com", "scope": "Namespaced",
           "names": {"plural": "pools", "kind": "Pool"},
           "versions": [
             {"name": "v1", "served": true, "storage": true,
              "subresources": {"scale": {"specReplicasPath": ".spec.size",
                                         "statusReplicasPath": ".status.size"}},
              "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                "spec": {"type": "object", "properties": {"size": {"type": "integer"}}},
                "status": {"type": "object", "properties": {"size": {"type": "integer"}}}}}}}]}}
        """;
    String definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    assertThat(api.post(definitions, definition).code()).isEqualTo(201);
    String pool =
        "{'apiVersion': 'example.com/v1', 'kind': 'Pool', 'metadata': {'name': 'one'},"
            + " 'spec': {'size': 2}}";
    assertThat(api.post("/apis/example.com/v1/namespaces/default/pools", pool).code())
        .isEqualTo(201);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/one       | application/vnd.kubernetes.protobuf                  | 406",
        "/one       | application/vnd.kubernetes.protobuf,application/json | 200",
        "''         | application/vnd.kubernetes.protobuf                  | 406",
        "?watch=1   | application/vnd.kubernetes.protobuf                  | 406",
        "/one/scale | application/vnd.kubernetes.protobuf                  | 200",
      })
  void customResourcesHaveNoMessages(String path, String accept, int code) throws Exception {
    define();
    assertThat(get("/apis/example.com/v1/namespaces/default/pools" + path, accept).code())
        .isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource({
    "example.com, statuses, Status",
    "example.com, deleteoptions, DeleteOptions",
    "apps.k8s.io, deployments, Deployment",
  })
  void customResourcesAreNotTheMessagesOfTheirName(String group, String plural, String kind)
      throws Exception {
    String definition =
        """
        {'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'CustomResourceDefinition',
         'metadata': {'name': '%2$s.%1$s',
                      'annotations': {'api-approved.kubernetes.io': 'unapproved, a test'}},
         'spec': {
           'group': '%1$s', 'scope': 'Namespaced', 'names': {'plural': '%2$s', 'kind': '%3$s'},
           'versions': [
             {'name': 'v1', 'served': true, 'storage': true,
              'schema': {'openAPIV3Schema': {'type': 'object'}}}]}}
        """
            .formatted(group, plural, kind);
    String definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    assertThat(api.post(definitions, definition).code()).isEqualTo(201);
    String path = "/apis/%s/v1/namespaces/default/%s".formatted(group, plural);
    String one =
        "{'apiVersion': '%s/v1', 'kind': '%s', 'metadata': {'name': 'one'}}".formatted(group, kind);
    assertThat(api.post(path, one).code()).isEqualTo(201);
    assertThat(get(path + "/one", PROTOBUF).code()).isEqualTo(406);
    assertThat(get(path, PROTOBUF).code()).isEqualTo(406);
    assertThat(get(path + "/one", PROTOBUF + ",application/json").type())
        .isEqualTo("application/json");
  }

  @Test
  void customResourcesHaveMetadata() throws Exception {
    define();
    String pools = "/apis/example.com/v1/namespaces/default/pools";
    ByteString list =
        get(pools, METADATA_LIST).message("meta.k8s.io/v1", "PartialObjectMetadataList");
    assertThat(Meta.PartialObjectMetadataList.parseFrom(list).getItems(0).getMetadata().getName())
        .isEqualTo("one");
    ByteString one =
        get(pools + "/one", METADATA).message("meta.k8s.io/v1", "PartialObjectMetadata");
    assertThat(Meta.PartialObjectMetadata.parseFrom(one).getMetadata().getName()).isEqualTo("one");
  }

  @Test
  void definitionsAreReadAsTheyWereWritten() throws Exception {
    define();
    String path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/pools.example.com";
    assertThat(get(path, PROTOBUF).tree()).isEqualTo(api.get(path).tree());
  }
}
