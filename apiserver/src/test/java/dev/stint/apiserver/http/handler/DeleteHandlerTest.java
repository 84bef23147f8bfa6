package dev.stint.apiserver.http.handler;

import static dev.stint.apiserver.http.HttpApi.CONFIG_MAPS;
import static dev.stint.apiserver.http.HttpApi.JOBS;
import static dev.stint.apiserver.http.HttpApi.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.HttpApi;
import dev.stint.apiserver.http.HttpApi.Answer;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.store.Entry;
import dev.stint.store.StorageEngine;
import dev.stint.store.StoreEvent;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.SimulatedEngine;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeleteHandlerTest {
  private final HttpApi api = new HttpApi();

  @AfterEach
  void close() {
    api.close();
  }

  /** Typed clients send the version of their group, custom ones a version of their own. */
  @ParameterizedTest
  @ValueSource(strings = {"v1", "batch/v1", "meta.k8s.io/v1", "policy/v1", "example.com/v2"})
  void takesOptionsOfAnyGroup(String apiVersion) {
    api.post(JOBS, JobBuilder.named("a"));
    Answer deleted =
        api.delete(
            JOBS + "/a",
            "{'kind': 'DeleteOptions', 'apiVersion': '%s', 'propagationPolicy': 'Foreground'}"
                .formatted(apiVersion));
    assertThat(deleted.code()).isEqualTo(200);
    assertThat(deleted.at("/metadata/finalizers/0")).isEqualTo("foregroundDeletion");
  }

  @Test
  void takesOptionsInYaml() {
    api.post(JOBS, JobBuilder.named("a"));
    String options = "kind: DeleteOptions\napiVersion: batch/v1\npropagationPolicy: Orphan\n";
    Answer deleted =
        api.call("DELETE", JOBS + "/a", options, Map.of("Content-Type", "application/yaml"));
    assertThat(deleted.at("/metadata/finalizers/0")).isEqualTo("orphan");
  }

  @Test
  void takesOptionsInProtobuf() {
    api.post(JOBS, JobBuilder.named("a"));
    byte[] options = Meta.DeleteOptions.newBuilder().addDryRun("All").build().toByteArray();
    ApiResponse reply =
        api.reply(
            "DELETE",
            JOBS + "/a",
            protobuf("batch/v1", options),
            Map.of("Content-Type", "application/vnd.kubernetes.protobuf"));
    assertThat(reply.code()).isEqualTo(200);
    assertThat(api.get(JOBS + "/a").code()).isEqualTo(200);
  }

  private static byte[] protobuf(String apiVersion, byte[] raw) {
    Runtime.Unknown envelope =
        Runtime.Unknown.newBuilder()
            .setTypeMeta(
                Runtime.TypeMeta.newBuilder().setApiVersion(apiVersion).setKind("DeleteOptions"))
            .setRaw(ByteString.copyFrom(raw))
            .build();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes("k8s\0".getBytes(StandardCharsets.UTF_8));
    out.writeBytes(envelope.toByteArray());
    return out.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'kind': 'Job', 'apiVersion': 'batch/v1'}",
        "{'kind': 'DeleteOptions', 'apiVersion': 'a/b/c'}",
        "{'gracePeriodSeconds': 'soon'}",
        "[]"
      })
  void refusesWhatIsNoOptions(String body) {
    api.post(JOBS, JobBuilder.named("a"));
    assertThat(api.delete(JOBS + "/a", body).code()).isEqualTo(400);
    assertThat(api.get(JOBS + "/a").code()).isEqualTo(200);
  }

  @Test
  void readsTheQueryOnlyWhereThereIsNoBody() {
    api.post(JOBS, JobBuilder.named("a"));
    api.post(JOBS, JobBuilder.named("b"));
    api.delete(JOBS + "/a?dryRun=All", "{}");
    api.delete(JOBS + "/b?dryRun=All", "");
    assertThat(api.get(JOBS + "/b").code()).isEqualTo(200);
    assertThat(api.get(JOBS + "/a").at("/metadata/finalizers/0")).isEqualTo("orphan");
  }

  @Test
  void saysWhatIsWrongWithOptions() {
    api.post(JOBS, JobBuilder.named("a"));
    Answer body =
        api.delete(
            JOBS + "/a",
            "{'dryRun': ['Some'], 'propagationPolicy': 'Maybe', 'orphanDependents': true}");
    assertThat(body.code()).isEqualTo(422);
    assertThat(body.causes())
        .containsExactlyInAnyOrder("propagationPolicy", "propagationPolicy", "dryRun");
    assertThat(api.delete(JOBS + "/a?dryRun=Some&propagationPolicy=", "").causes())
        .containsExactlyInAnyOrder("propagationPolicy", "dryRun");
    assertThat(api.delete(JOBS + "/a?gracePeriodSeconds=soon", "").code()).isEqualTo(400);
  }

  @Test
  void aDeletionThatIsUnderWayKeepsItsPolicyUnlessToldOtherwise() {
    api.post(JOBS, JobBuilder.named("a"));
    api.delete(JOBS + "/a?propagationPolicy=Foreground", "");
    Answer again = api.delete(JOBS + "/a", "");
    assertThat(again.at("/metadata/finalizers/0")).isEqualTo("foregroundDeletion");
  }

  @Test
  void acceptsWhatItPutsOff() {
    api.post(JOBS, JobBuilder.named("a"));
    api.post(CONFIG_MAPS, HttpApi.configMap("c", "{}"));
    assertThat(api.delete(JOBS + "/a?propagationPolicy=Foreground", "").code()).isEqualTo(200);
    api.post(CONFIG_MAPS, "{'metadata': {'name': 'held', 'finalizers': ['example.com/held']}}");
    assertThat(api.delete(CONFIG_MAPS + "/held?orphanDependents=false", "").code()).isEqualTo(202);
    assertThat(api.delete(CONFIG_MAPS + "/c?orphanDependents=false", "").code()).isEqualTo(200);
  }

  @Test
  void aCollectionIsAnsweredAsItWas() {
    for (String name : List.of("a", "b", "c")) {
      api.post(CONFIG_MAPS, HttpApi.configMap(name, "{}"));
    }
    String version = api.get(CONFIG_MAPS + "/a").at("/metadata/resourceVersion");
    Answer swept = api.delete(CONFIG_MAPS + "?limit=2", "");
    assertThat(swept.at("/kind")).isEqualTo("ConfigMapList");
    assertThat(swept.at("/items/0/metadata/resourceVersion")).isEqualTo(version);
    assertThat(swept.at("/metadata/continue")).isNotEmpty();
    assertThat(swept.tree().path("items").size()).isEqualTo(2);
    assertThat(api.get(CONFIG_MAPS).at("/items/0/metadata/name")).isEqualTo("c");
  }

  /** The list would keep all that is deleted until a client has read it. */
  @Test
  void aLongCollectionIsAnsweredWithSuccess() {
    fill(api, 5, 20_000);
    Answer swept = api.delete(CONFIG_MAPS + "?limit=4", "");
    assertThat(swept.code()).isEqualTo(200);
    assertThat(swept.at("/kind")).isEqualTo("Status");
    assertThat(swept.at("/status")).isEqualTo("Success");
    assertThat(swept.at("/details/kind")).isEqualTo("ConfigMap");
    assertThat(swept.at("/metadata/resourceVersion")).isNotEmpty();
    assertThat(swept.at("/metadata/continue")).as("another page follows").isNotEmpty();
    assertThat(swept.tree().at("/metadata/remainingItemCount").intValue()).isEqualTo(1);
    assertThat(api.get(CONFIG_MAPS).tree().path("items").size()).isEqualTo(1);
  }

  private static void fill(HttpApi server, int count, int bytes) {
    for (int i = 0; i < count; i++) {
      Answer created =
          server.post(
              CONFIG_MAPS,
              "{'metadata': {'name': 'c%d'}, 'data': {'a': '%s'}}".formatted(i, "x".repeat(bytes)));
      assertThat(created.code()).isEqualTo(201);
    }
  }

  /** Keeps the sizes of the batches of deletions, the first of which waits for all that can be. */
  private static final class Deletions implements StorageEngine {
    private final SimulatedEngine engine = new SimulatedEngine();
    private final List<Integer> sizes = new CopyOnWriteArrayList<>();
    private final Thread client = Thread.currentThread();

    @Override
    public void append(List<StoreEvent> batch) throws IOException {
      if (batch.stream().allMatch(event -> event.after() == null)) {
        while (client.getState() == Thread.State.RUNNABLE) {
          Thread.onSpinWait();
        }
        sizes.add(batch.size());
      }
      engine.append(batch);
    }

    @Override
    public void sync() throws IOException {
      engine.sync();
    }

    @Override
    public void reserve(long revision) throws IOException {
      engine.reserve(revision);
    }

    @Override
    public long readBack(Consumer<Entry> consumer) {
      return engine.readBack(consumer);
    }

    @Override
    public void close() {
      engine.close();
    }
  }

  /** Each of them is in memory as a whole, parsed, until it is gone. */
  @ParameterizedTest
  @CsvSource({"600, 100, 256", "8, 400000, 2", "4, 1000000, 1"})
  void aCollectionIsDeletedAFewObjectsAtATime(int count, int bytes, int most) {
    Deletions deletions = new Deletions();
    try (HttpApi server = HttpApi.over(deletions, StoreOptions.defaults())) {
      fill(server, count, bytes);
      assertThat(server.delete(CONFIG_MAPS, "").code()).isEqualTo(200);
      assertThat(server.get(CONFIG_MAPS).body()).contains("\"items\":[]");
    }
    assertThat(deletions.sizes).allMatch(size -> size <= most);
    assertThat(deletions.sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(count);
  }

  @Test
  void podsOfACollectionAreAnsweredAsTheyWere() {
    api.post(PODS, PodBuilder.named("p"));
    Answer swept = api.delete(PODS, "");
    assertThat(swept.tree().at("/items/0/metadata").has("deletionTimestamp")).isFalse();
  }
}
