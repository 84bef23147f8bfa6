package dev.stint.apiserver.http.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.ListPage;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.HttpApi;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.document.Documents;
import dev.stint.store.Entry;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.SimulatedEngine;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Lists that are too long to be sent as a whole are the same, item by item. */
class ListBodyTest {
  private static final int OBJECTS = 20;
  private static final int BYTES = 10_000;
  private static final String METADATA =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

  /** Time stands still: tables have the ages of objects. */
  private final HttpApi api =
      HttpApi.at(InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")));

  @BeforeEach
  void fill() {
    for (int i = 0; i < OBJECTS; i++) {
      assertThat(api.post(HttpApi.CONFIG_MAPS, map(i, "yes")).code()).isEqualTo(201);
    }
  }

  private static String map(int number, String b) {
    ObjectNode map = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
    ObjectNode metadata = map.putObject("metadata").put("name", "c" + (10 + number));
    metadata.putObject("annotations").put("note", "y".repeat(BYTES / 2));
    map.putObject("data").put("a", "x".repeat(BYTES)).put("b", b);
    return map.toString();
  }

  @AfterEach
  void close() {
    api.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "application/yaml",
        HttpApi.TABLE,
        HttpApi.TABLE + ",application/json",
        METADATA
      })
  void aLongListHasTheItemsOfItsPages(String accept) throws Exception {
    Map<String, String> headers = Map.of("Accept", accept);
    assertThat(api.reply("GET", HttpApi.CONFIG_MAPS, new byte[0], headers))
        .isInstanceOf(ApiResponse.Streamed.class);
    ObjectNode whole = tree(api.get(HttpApi.CONFIG_MAPS, accept));
    String member = whole.has("rows") ? "rows" : "items";
    List<JsonNode> single = new ArrayList<>();
    String next = "";
    do {
      ObjectNode page = tree(api.get(HttpApi.CONFIG_MAPS + "?limit=1" + next, accept));
      page.get(member).forEach(single::add);
      next = "&continue=" + page.at("/metadata/continue").asString("");
    } while (single.size() < OBJECTS);
    assertThat(whole.get(member)).hasSize(OBJECTS);
    assertThat((ArrayNode) whole.get(member)).containsExactlyElementsOf(single);
    assertThat(whole.at("/metadata/resourceVersion").asString()).isNotEmpty();
  }

  private static ObjectNode tree(HttpApi.Answer answer) {
    return answer.type().contains("yaml")
        ? Documents.readWritten(answer.body().getBytes(UTF_8), "", "").tree()
        : answer.tree();
  }

  /** As when a converting webhook answers otherwise the second time. */
  @Test
  void aListThatChangesWhileItIsWrittenIsNotSentToItsEnd() {
    KubeObject object =
        KubeObject.of(Json.object().put("apiVersion", "v1").put("kind", "ConfigMap"));
    AtomicInteger calls = new AtomicInteger();
    ListForm changing =
        new ListForm.ProtobufForm(
            "v1",
            "ConfigMapList",
            Json.object(),
            shown -> named(shown, "x".repeat(calls.incrementAndGet())));
    ListBody body =
        new ListBody(
            new ListPage(
                List.of(new Item(object), new Item(object)), 1, null, 0, (_, _) -> () -> {}),
            changing,
            new PlainView());
    assertThatThrownBy(() -> body.writeTo(new Pieces()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("a list has another length than it stated: ");
  }

  private static ObjectNode named(KubeObject shown, String name) {
    ObjectNode tree = shown.tree().deepCopy();
    tree.putObject("metadata").put("name", name);
    return tree;
  }

  private record Item(KubeObject object) implements ListPage.Item {
    @Override
    public int length() {
      return 100;
    }
  }

  /** Keeps the sizes of what is sent. */
  private static final class Pieces implements ApiResponse.Sink {
    private final List<Integer> sizes = new ArrayList<>();

    @Override
    public void write(byte[] bytes) {
      sizes.add(bytes.length);
    }

    @Override
    public void onClose(Runnable task) {}
  }

  private static final String WATCH =
      "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=10"
          + "&allowWatchBookmarks=true";

  /** Replaces all objects, and waits until their former values are gone. */
  private static void replaceAll(HttpApi small) {
    String key = "/registry/configmaps/default/c" + (10 + OBJECTS / 2);
    WeakReference<Entry> former = new WeakReference<>(small.stored(key));
    for (int i = 0; i < OBJECTS; i++) {
      String path = HttpApi.CONFIG_MAPS + "/c" + (10 + i);
      assertThat(small.call("PUT", path, map(i, "no"), Map.of()).code()).isEqualTo(200);
    }
    while (former.get() != null) {
      assertThat(Thread.currentThread().isInterrupted()).as("it is held").isFalse();
      System.gc();
    }
  }

  private static HttpApi withoutLog() {
    HttpApi small =
        HttpApi.over(new SimulatedEngine(), new StoreOptions(2, 0, StoreOptions.Durability.STRICT));
    for (int i = 0; i < OBJECTS; i++) {
      assertThat(small.post(HttpApi.CONFIG_MAPS, map(i, "yes")).code()).isEqualTo(201);
    }
    return small;
  }

  @Test
  @Timeout(60)
  void aListThatIsNotReadKeepsNothingThatIsReplaced() throws Exception {
    try (HttpApi small = withoutLog()) {
      ApiResponse.Streamed list =
          (ApiResponse.Streamed) small.reply("GET", HttpApi.CONFIG_MAPS, new byte[0], Map.of());
      assertThat(list.body().memory()).isBetween(OBJECTS * 20L, OBJECTS * 100L);
      assertThatThrownBy(() -> list.body().writeTo(new Slow(small)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("was replaced before the client read it");
    }
  }

  /** Replaces all objects while the first piece is sent. */
  private static final class Slow implements ApiResponse.Sink {
    private final HttpApi small;
    private final StringBuilder sent = new StringBuilder();
    private final Deque<Long> held = new ArrayDeque<>();
    private final List<String> steps = new ArrayList<>();

    Slow(HttpApi small) {
      this.small = small;
    }

    @Override
    public void write(byte[] bytes) {
      if (sent.isEmpty()) {
        replaceAll(small);
      }
      sent.append(new String(bytes, UTF_8));
    }

    @Override
    public boolean takes(long bytes) {
      held.push(bytes);
      steps.add("takes");
      return true;
    }

    @Override
    public void givesBack(long bytes) {
      assertThat(held.pop()).isEqualTo(bytes);
      steps.add("gives back");
    }

    @Override
    public void onClose(Runnable task) {}
  }

  @Test
  @Timeout(60)
  void aWatchThatDoesNotReadItsInitialEventsHasToBeginAgain() throws Exception {
    try (HttpApi small = withoutLog()) {
      ApiResponse.Streamed watch =
          (ApiResponse.Streamed)
              small.reply("GET", HttpApi.CONFIG_MAPS + WATCH, new byte[0], Map.of());
      Slow sink = new Slow(small);
      watch.body().writeTo(sink);
      List<String> lines = sink.sent.toString().lines().toList();
      assertThat(lines).hasSizeBetween(2, OBJECTS);
      assertThat(lines.getLast()).contains("\"ERROR\"", "\"code\":410", "\"reason\":\"Expired\"");
      assertThat(sink.steps).containsExactly("takes", "gives back");
    }
  }

  @Test
  void eachPieceIsMadeWhenTheOneBeforeItIsSent() throws Exception {
    Pieces pieces = new Pieces();
    ApiResponse.Streamed list =
        (ApiResponse.Streamed) api.reply("GET", HttpApi.CONFIG_MAPS, new byte[0], Map.of());
    list.body().writeTo(pieces);
    assertThat(pieces.sizes)
        .hasSizeGreaterThan(4)
        .allMatch(size -> size < 2 * ListBody.PIECE_BYTES);
  }
}
