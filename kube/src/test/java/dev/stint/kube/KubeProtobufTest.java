package dev.stint.kube;

import static dev.stint.kube.KubeClusterTest.answer;
import static dev.stint.kube.KubeClusterTest.config;
import static dev.stint.kube.KubeClusterTest.configMap;
import static dev.stint.kube.KubeClusterTest.job;
import static dev.stint.kube.KubeClusterTest.pod;
import static dev.stint.kube.KubeClusterTest.ref;
import static dev.stint.kube.KubeClusterTest.refusal;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.cluster.protobuf.ProtobufDocument;
import dev.stint.cluster.protobuf.ProtobufEvents;
import dev.stint.harness.PodsOfNewerApi;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.store.StoreOptions;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** The client where it prefers protobuf. */
class KubeProtobufTest {
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

  /** A Job with the field 200, which no version has. */
  private static final byte[] YOUNGER =
      "k8s\0\n\u000f\n\bbatch/v1\u0012\u0003Job\u0012\u0003\u00c0\f\u0001".getBytes(ISO_8859_1);

  private ApiFront front;
  private KubeCluster cluster;

  @BeforeEach
  void open() throws Exception {
    front = new ApiFront(StoreOptions.defaults());
    cluster =
        new KubeCluster(
            config(front.url()), ContentType.PROTOBUF, KubeWatchTest.skippingShortOnes());
  }

  @AfterEach
  void close() {
    cluster.close();
    front.close();
  }

  private KubeObject stored(ObjectRef ref) throws Exception {
    return KubeObject.of(Json.parse(answer(front.api.get(ref)).bytes()));
  }

  private Watch watch(Kind kind, SeenEvents seen) throws Exception {
    String now = answer(front.api.list(kind, "default")).resourceVersion();
    return cluster.watch(kind, "default", now, seen);
  }

  @Test
  void objectsAreTheSameAsInJson() throws Exception {
    KubeObject pod = answer(cluster.create(pod("p")));
    assertThat(front.requests.getLast().contentType()).isEqualTo(PROTOBUF);
    assertThat(front.requests.getLast().accept()).isEqualTo(PROTOBUF + ",application/json");
    assertThat(pod.uid()).isEqualTo(stored(ref(Kind.POD, "p")).uid());
    assertThat(pod.specText("restartPolicy")).isEqualTo("Never");
    assertThat(pod.metadata()).isNotNull().doesNotContain(Json.array());
    assertThat(pod.tree()).isEqualTo(stored(ref(Kind.POD, "p")).tree());
    answer(cluster.create(job("j")));
    assertThat(answer(cluster.get(ref(Kind.JOB, "j"))).tree())
        .isEqualTo(stored(ref(Kind.JOB, "j")).tree());
    assertThat(answer(cluster.list(Kind.JOB, "default")).items())
        .extracting(KubeObject::tree)
        .containsExactly(stored(ref(Kind.JOB, "j")).tree());
  }

  @Test
  void statusesAreWrittenAndAnsweredInProtobuf() throws Exception {
    KubeObject job = answer(cluster.create(job("j")));
    ObjectNode tree = job.copy();
    tree.putObject("status").put("startTime", "2026-01-01T00:00:00Z").put("active", 1);
    KubeObject written = answer(cluster.updateStatus(KubeObject.of(tree)));
    assertThat(Json.integer(written.status(), "active")).isEqualTo(1);
    assertThat(front.requests.getLast().contentType()).isEqualTo(PROTOBUF);
    assertThat(front.requests.getLast().acceptsProtobuf()).isTrue();
    assertThat(written.tree()).isEqualTo(withoutManagedFields(stored(ref(Kind.JOB, "j"))));
  }

  /** The write was carried out, so it is not repeated in JSON. */
  @Test
  void anAnswerWithAYoungerFieldIsLost() throws Exception {
    KubeObject job = answer(front.api.create(job("j")));
    front.messages.add(YOUNGER);
    assertThat(refusal(cluster.updateStatus(job)).reason()).isEqualTo(Reason.UNAVAILABLE);
    assertThat(front.requests).hasSize(1);
    assertThat(answer(cluster.get(job.ref())).tree()).isEqualTo(stored(job.ref()).tree());
    assertThat(front.requests.getLast().accept()).isEqualTo("application/json");
  }

  /** Those that are sent to it are the API's own, which nobody reads here. */
  @Test
  void noManagedFieldsAreKept() throws Exception {
    ObjectNode managed = answer(front.api.create(job("j"))).copy();
    managed
        .withObjectProperty("metadata")
        .putArray("managedFields")
        .addObject()
        .put("manager", "m")
        .put("operation", "Update")
        .put("apiVersion", "batch/v1")
        .put("fieldsType", "FieldsV1")
        .putObject("fieldsV1")
        .putObject("f:spec");
    byte[] message = ProtobufDocument.write(managed);
    assertThat(ProtobufDocument.read(message)).isEqualTo(managed);
    front.messages.add(message);
    KubeObject job = answer(cluster.get(ref(Kind.JOB, "j")));
    assertThat(job.tree()).isEqualTo(withoutManagedFields(KubeObject.of(managed)));
    assertThat(front.requests).hasSize(1).allMatch(ApiFront.Request::acceptsProtobuf);
  }

  private static ObjectNode withoutManagedFields(KubeObject object) {
    ObjectNode tree = object.copy();
    tree.withObjectProperty("metadata").remove("managedFields");
    return tree;
  }

  @Test
  void changesAreReported() throws Exception {
    SeenEvents seen = new SeenEvents();
    try (Watch _ = watch(Kind.POD, seen)) {
      KubeObject pod = answer(cluster.create(pod("p")));
      assertThat(seen.next()).isEqualTo("ADDED Pod p");
      answer(cluster.patch(pod.ref(), Json.parse("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")));
      assertThat(seen.next()).isEqualTo("MODIFIED Pod p");
      answer(cluster.delete(pod.ref(), DeleteOptions.only(pod.uid())));
      assertThat(seen.next()).endsWith("Pod p");
    }
  }

  @Test
  void refusalsAreRead() throws Exception {
    assertThat(refusal(cluster.get(ref(Kind.CONFIG_MAP, "missing"))).reason())
        .isEqualTo(Reason.NOT_FOUND);
    ObjectNode invalid = job("invalid").copy();
    invalid.withObjectProperty("spec").put("parallelism", -1);
    assertThat(refusal(cluster.create(KubeObject.of(invalid))).causes().getFirst().path())
        .isEqualTo("spec.parallelism");
  }

  @ParameterizedTest
  @ValueSource(ints = {406, 415})
  void anApiThatDoesNotAcceptItIsAskedInJson(int code) throws Exception {
    front.answers.add(new ApiFront.Answer(code, "no protobuf here"));
    KubeObject made = answer(cluster.create(configMap("c")));
    assertThat(made.tree()).isEqualTo(stored(ref(Kind.CONFIG_MAP, "c")).tree());
    assertThat(front.requests)
        .extracting(ApiFront.Request::contentType)
        .containsExactly(PROTOBUF, "application/json");
    answer(cluster.get(made.ref()));
    assertThat(front.requests.getLast().accept()).isEqualTo("application/json");
  }

  @Test
  void aYoungerFieldIsNotLost() throws Exception {
    answer(front.api.create(job("j")));
    front.messages.add(YOUNGER);
    assertThat(answer(cluster.get(ref(Kind.JOB, "j"))).tree())
        .isEqualTo(stored(ref(Kind.JOB, "j")).tree());
    assertThat(front.requests.getLast().accept()).isEqualTo("application/json");
  }

  @Test
  void aWatchThatReportsAYoungerFieldContinuesInJson() throws Exception {
    SeenEvents seen = new SeenEvents();
    try (Watch _ = watch(Kind.JOB, seen)) {
      answer(front.api.create(job("a")));
      assertThat(seen.next()).isEqualTo("ADDED Job a");
      ByteArrayOutputStream event = new ByteArrayOutputStream();
      event.writeBytes(ProtobufEvents.start("MODIFIED", YOUNGER.length));
      event.writeBytes(YOUNGER);
      front.tellWatchers(event.toByteArray());
      answer(front.api.create(job("b")));
      assertThat(seen.next()).isEqualTo("ADDED Job b");
    }
    assertThat(front.requests.stream().map(ApiFront.Request::accept).distinct().toList())
        .isEqualTo(List.of(PROTOBUF + ",application/json", "application/json"));
  }

  @Test
  void podsOfAYoungerApiAreRead() throws Exception {
    front.messages.add(PodsOfNewerApi.list());
    assertYoung(answer(cluster.list(Kind.POD, "default")).items().getFirst());
    front.messages.add(PodsOfNewerApi.message());
    assertYoung(answer(cluster.create(pod(PodsOfNewerApi.NAME))));
    assertThat(front.requests).hasSize(2).allMatch(ApiFront.Request::acceptsProtobuf);
  }

  /** Its conditions may be patched, which replaces them all. */
  @Test
  void aPodThatIsReadByItselfLosesNothing() throws Exception {
    KubeObject made = answer(front.api.create(pod("p")));
    ObjectNode younger = made.copy();
    younger
        .putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", "Ready")
        .put("younger", 1);
    front.answers.add(new ApiFront.Answer(200, younger.toString()));
    assertThat(answer(cluster.get(made.ref())).tree()).hasToString(younger.toString());
    assertThat(front.requests.getLast().accept()).isEqualTo("application/json");
    answer(cluster.list(Kind.POD, "default"));
    assertThat(front.requests.getLast().acceptsProtobuf()).isTrue();
  }

  private static void assertYoung(KubeObject pod) {
    assertThat(pod.label("a")).isEqualTo("b");
    assertThat(pod.statusText("phase")).isEqualTo("Running");
    assertThat(Json.text(pod.spec(), "nodeName")).isEqualTo("n1");
    assertThat(pod.tree().at("/spec/nodeName").asString()).isEqualTo("n1");
  }

  @Test
  void aWatchReportsPodsOfAYoungerApi() throws Exception {
    List<KubeObject> pods = new CopyOnWriteArrayList<>();
    SeenEvents seen = new SeenEvents();
    WatchHandler both =
        new WatchHandler() {
          @Override
          public void onEvent(WatchEvent event) {
            pods.add(event.object());
            seen.onEvent(event);
          }

          @Override
          public void onClosed(@Nullable ClusterException cause) {
            seen.onClosed(cause);
          }
        };
    String now = answer(front.api.list(Kind.POD, "default")).resourceVersion();
    try (Watch _ = cluster.watch(Kind.POD, "default", now, both)) {
      answer(front.api.create(pod("p")));
      assertThat(seen.next()).isEqualTo("ADDED Pod p");
      byte[] message = PodsOfNewerApi.message();
      ByteArrayOutputStream event = new ByteArrayOutputStream();
      event.writeBytes(ProtobufEvents.start("MODIFIED", message.length));
      event.writeBytes(message);
      front.tellWatchers(event.toByteArray());
      assertThat(seen.next()).isEqualTo("MODIFIED Pod " + PodsOfNewerApi.NAME);
    }
    assertYoung(pods.getLast());
    assertThat(front.requests).allMatch(ApiFront.Request::acceptsProtobuf);
  }

  @Test
  void aMalformedPodIsTheAnswersFault() throws Exception {
    front.messages.add(PodsOfNewerApi.malformed());
    assertThat(refusal(cluster.create(pod("p"))).reason()).isEqualTo(Reason.BAD_REQUEST);
  }

  @ParameterizedTest
  @ValueSource(ints = {406, 415})
  void aWatchThatIsRefusedContinuesInJson(int code) throws Exception {
    front.answers.add(new ApiFront.Answer(code, "no protobuf here"));
    SeenEvents seen = new SeenEvents();
    try (Watch _ = watch(Kind.POD, seen)) {
      answer(front.api.create(pod("p")));
      assertThat(seen.next()).isEqualTo("ADDED Pod p");
    }
    assertThat(front.requests)
        .extracting(ApiFront.Request::acceptsProtobuf)
        .containsExactly(true, false);
  }

  @ParameterizedTest
  @ValueSource(ints = {406, 415})
  void aWatchThatIsRefusedInJsonEnds(int code) throws Exception {
    front.answers.add(new ApiFront.Answer(code, "no protobuf here"));
    front.answers.add(new ApiFront.Answer(code, "no JSON either"));
    SeenEvents seen = new SeenEvents();
    try (Watch _ = watch(Kind.POD, seen)) {
      assertThat(seen.next()).startsWith("closed").endsWith("no JSON either");
    }
    assertThat(front.requests).hasSize(2);
  }

  @Test
  void whatHasUnknownMembersIsSentInJson() throws Exception {
    ObjectNode tree = job("j").copy();
    tree.withObjectProperty("spec").put("fromTheFuture", 1);
    front.answers.add(new ApiFront.Answer(200, tree.toString()));
    answer(cluster.update(KubeObject.of(tree)));
    assertThat(front.requests.getLast().contentType()).startsWith("application/json");
    assertThat(Json.parse(front.requests.getLast().body())).isEqualTo(tree);
  }
}
