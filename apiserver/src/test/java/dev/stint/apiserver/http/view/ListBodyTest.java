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
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
      ObjectNode map = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
      ObjectNode metadata = map.putObject("metadata").put("name", "c" + (10 + i));
      metadata.putObject("annotations").put("note", "y".repeat(BYTES / 2));
      map.putObject("data").put("a", "x".repeat(BYTES)).put("b", "yes");
      assertThat(api.post(HttpApi.CONFIG_MAPS, map.toString()).code()).isEqualTo(201);
    }
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
        new ListBody(List.of(new Item(object), new Item(object)), changing, new PlainView());
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
